import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, openCallStore, tenants, type CallStore } from '../../../test/call-stores'
import type { CallHistory, CallListOptions, Point, Tenant } from '../../ports/call-history'
import { UnavailableError } from '../../ports/service-errors'
import { influxCallHistory } from './influx/store'
import { sqlCallHistory } from './sql/store'

const page = { page: 1, count: 25 }
const minute = 60_000

describe.each(callStores)('the call history (%s)', (kind) => {
  let now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  const call = (owner: Parameters<typeof callPoint>[0], received: Partial<Parameters<typeof callPoint>[1]> = {}) =>
    callPoint(owner, { timeMs: now, ...received })
  const names = async (tenant: Tenant, options: Partial<CallListOptions> = {}) => {
    const { total, rows } = await history.calls(tenant, { ...page, ...options })
    expect(total).toBe(rows.length)
    return rows.map(({ from }) => from)
  }

  it('is empty before the first record', async () => {
    expect(await history.calls({ account_sid: randomUUID() }, page)).toEqual({ total: 0, rows: [] })
    expect(await history.alerts({ service_provider_sid: randomUUID() }, page)).toEqual({ total: 0, rows: [] })
    expect(await history.find({ account_sid: randomUUID() }, { sip_callid: 'none' })).toBeUndefined()
  })

  it('returns records with nulls for missing fields, to their owners only', async () => {
    const { north, south, acme, bolt } = tenants()
    const fields = {
      call_sid: `${acme} call`,
      sip_callid: `${acme}@host`,
      from: 'sip:"Bob", \\ the = one',
      to: '+49 30',
      sip_status: 200,
      duration: 38,
      answered_at: now - 40_000,
      terminated_at: now - 2000,
      termination_reason: 'caller hungup',
      trace_id: '4f',
      cost: 0.25,
    }
    await history.write('cdrs', [call({ service_provider_sid: north, account_sid: acme }, { fields })])
    const { total, rows } = await history.calls({ account_sid: acme }, page)
    expect(total).toBe(1)
    expect(rows[0]).toMatchObject({
      ...fields,
      attempted_at: new Date(now).toISOString(),
      answered_at: new Date(fields.answered_at).toISOString(),
      terminated_at: new Date(fields.terminated_at).toISOString(),
      answered: true,
      direction: 'inbound',
      host: '10.0.0.1',
      account_sid: acme,
      service_provider_sid: north,
      trunk: 'twilio',
      application_sid: null,
      recording_url: null,
      sip_parent_callid: null,
    })
    const columns = Object.keys(rows[0]!)
    expect(columns).toEqual(['attempted_at', ...columns.slice(1).toSorted()])
    expect(await history.calls({ service_provider_sid: north }, page)).toEqual({ total, rows })
    for (const tenant of [{ account_sid: bolt }, { service_provider_sid: south }, { account_sid: north }])
      expect(await history.calls(tenant, page)).toEqual({ total: 0, rows: [] })
    const owner = [{ account_sid: acme }, { service_provider_sid: north }]
    const others = [{ account_sid: bolt }, { service_provider_sid: south }]
    for (const by of [{ sip_callid: fields.sip_callid }, { call_sid: fields.call_sid }]) {
      const owns = (tenant: Tenant) => history.isOwner(tenant, by)
      expect(await Promise.all(owner.map(owns))).toEqual([true, true])
      expect(await Promise.all(others.map(owns))).toEqual([false, false])
    }
  })

  it('merges points that are written more than once', async () => {
    const { north, acme } = tenants()
    const point = call({ service_provider_sid: north, account_sid: acme }, { fields: { call_sid: 'again' } })
    await history.write('cdrs', [point])
    await history.write('cdrs', [{ ...point, fields: { call_sid: 'again', cost: 2 } }])
    const { total, rows } = await history.calls({ account_sid: acme }, page)
    expect({ total, length: rows.length }).toEqual({ total: 1, length: 1 })
    expect(rows[0]).toMatchObject({ call_sid: 'again', from: '15551230000', cost: 2 })
  })

  it('adds a later price to a call that it does not name', async () => {
    const { north, acme, bolt } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const calls = [0, 1].map((index) =>
      call(owner, { extraNs: 100_000 + 400_000 * index, fields: { from: `priced${index}`, sip_status: 200 } }),
    )
    await history.write('cdrs', calls)
    const priced = { ...calls[1]!, fields: { cost: 0.25 } }
    await history.write('cdrs', [priced])
    // another tenant's point of the same time is not merged
    await history.write('cdrs', [{ ...priced, tags: { ...priced.tags, account_sid: bolt } }])
    const { total, rows } = await history.calls({ account_sid: acme }, page)
    expect(total).toBe(2)
    expect(rows.map(({ from, cost }) => [from, cost ?? null])).toEqual([
      ['priced1', 0.25],
      ['priced0', null],
    ])
  })

  it('filters by direction, answered, trunk and time', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const tenant = { account_sid: acme }
    const item = (from: string, tags: Record<string, string>, minutesAgo: number) =>
      call(owner, { tags, fields: { from }, timeMs: now - minutesAgo * minute })
    await history.write('cdrs', [
      item('a', {}, 0),
      item('b', { direction: 'outbound' }, 10),
      item('c', { answered: 'false', trunk: 'telnyx' }, 200),
      item('d', { direction: 'outbound', answered: 'false' }, 5000),
    ])
    expect(await names(tenant)).toEqual(['a', 'b', 'c', 'd'])
    expect(await names(tenant, { direction: 'outbound' })).toEqual(['b', 'd'])
    expect(await names(tenant, { answered: false })).toEqual(['c', 'd'])
    expect(await names(tenant, { direction: 'inbound', answered: true })).toEqual(['a'])
    expect(await names(tenant, { trunk: 'telnyx' })).toEqual(['c'])
    expect(await names(tenant, { trunk: 'twilio', answered: true })).toEqual(['a', 'b'])
    expect(await names(tenant, { from: now - 10 * minute })).toEqual(['a', 'b'])
    expect(await names(tenant, { to: now - 10 * minute })).toEqual(['b', 'c', 'd'])
    expect(await names(tenant, { from: now - 201 * minute, to: now - 9 * minute })).toEqual(['b', 'c'])
    expect(await names(tenant, { from: now - 200 * minute, to: now - 200 * minute })).toEqual(['c'])
    expect(await names(tenant, { from: now, to: now - minute })).toEqual([])
  })

  it.each(['0000-01-01', '1677-09-21', '2262-04-12', '9999-12-31'])('accepts a range from or to %s', async (day) => {
    const { north, acme } = tenants()
    const owner = { account_sid: acme }
    await history.write('cdrs', [call({ service_provider_sid: north, account_sid: acme }, { fields: { from: 'one' } })])
    const timeMs = Date.parse(`${day}T12:00:00.000Z`)
    expect(await names(owner, { from: timeMs })).toEqual(timeMs < now ? ['one'] : [])
    expect(await names(owner, { to: timeMs })).toEqual(timeMs < now ? [] : ['one'])
    expect(await history.sums(owner, { to: timeMs })).toHaveLength(timeMs < now ? 0 : 1)
    expect((await history.alerts(owner, { ...page, from: timeMs })).total).toBe(0)
  })

  it('searches text literally, ignoring case, and SIDs by their complete value', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const tenant = { account_sid: acme }
    await history.write('cdrs', [
      call(owner, { fields: { from: '+1.555/0100', to: '442012', call_sid: 'cafe-1' }, timeMs: now }),
      call(owner, { fields: { from: '15550100', to: 'sip:Bob%_@Host', call_sid: 'cafe-2' }, timeMs: now - 1 }),
      call(owner, { fields: { from: 'cafe-1', to: 'Zoë', call_sid: 'cafe-3' }, timeMs: now - 2 }),
    ])
    expect(await names(tenant, { text: '+1.555/0' })).toEqual(['+1.555/0100'])
    expect(await names(tenant, { text: '.' })).toEqual(['+1.555/0100'])
    expect(await names(tenant, { text: 'bob%_' })).toEqual(['15550100'])
    expect(await names(tenant, { text: 'BOB' })).toEqual(['15550100'])
    expect(await names(tenant, { text: '0100' })).toEqual(['+1.555/0100', '15550100'])
    expect(await names(tenant, { text: 'cafe-1' })).toEqual(['+1.555/0100', 'cafe-1'])
    expect(await names(tenant, { text: 'cafe-' })).toEqual(['cafe-1'])
    expect(await names(tenant, { text: 'zoë' })).toEqual(['cafe-1'])
    expect(await names(tenant, { text: ".*'; drop" })).toEqual([])
    expect(await names({ service_provider_sid: north }, { text: '442', direction: 'outbound' })).toEqual([])
  })

  it('finds a call of a tenant by each identifier', async () => {
    const { north, acme, bolt } = tenants()
    const fields = { sip_callid: "x'y@Host", trace_id: 'ab12', call_sid: 'named' }
    await history.write('cdrs', [call({ service_provider_sid: north, account_sid: acme }, { fields })])
    for (const by of [{ sip_callid: "x'y@Host" }, { trace_id: 'ab12' }, { call_sid: 'named' }])
      for (const tenant of [{ account_sid: acme }, { service_provider_sid: north }])
        expect(await history.find(tenant, by)).toMatchObject(fields)
    expect(await history.find({ account_sid: bolt }, { call_sid: 'named' })).toBeUndefined()
    expect(await history.find({ account_sid: acme }, { sip_callid: "x'y@host" })).toBeUndefined()
  })

  it('stores alerts with and without an account', async () => {
    const { north, acme } = tenants()
    const alert = (tags: Record<string, string>, message: string, ago: number): Point => ({
      tags: { service_provider_sid: north, ...tags },
      fields: { message, detail: 'why' },
      time: BigInt(now - ago) * 1_000_000n,
    })
    await history.write('alerts', [
      alert({ account_sid: acme, alert_type: 'no-tts', vendor: 'google' }, 'one', 0),
      alert({ alert_type: 'no-carrier' }, 'two', 1000),
    ])
    const all = await history.alerts({ service_provider_sid: north }, page)
    expect(all.total).toBe(2)
    expect(all.rows.map(({ message }) => message)).toEqual(['one', 'two'])
    expect(all.rows[0]).toMatchObject({
      time: new Date(now).toISOString(),
      account_sid: acme,
      alert_type: 'no-tts',
      detail: 'why',
      service_provider_sid: north,
      vendor: 'google',
    })
    expect(all.rows[1]).toMatchObject({ account_sid: null, vendor: null })
    expect((await history.alerts({ account_sid: acme }, { ...page, alert_type: 'no-tts' })).total).toBe(1)
    expect((await history.alerts({ account_sid: acme }, { ...page, alert_type: 'no-carrier' })).total).toBe(0)
    expect((await history.alerts({ service_provider_sid: north }, { ...page, to: now - 500 })).total).toBe(1)
  })

  it('lists each call of many hours on exactly one page', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const count = 5400
    const points = Array.from({ length: count }, (_, index) =>
      call(owner, {
        timeMs: now - index * 7 * minute - (index % 3),
        tags: { answered: String(index % 4 !== 0), direction: index % 2 ? 'inbound' : 'outbound' },
        fields: { from: `n${index}` },
      }),
    )
    for (let index = 0; index < count; index += 900) await history.write('cdrs', points.slice(index, index + 900))
    const optionSets: [Partial<CallListOptions>, (at: number) => boolean][] = [
      [{}, () => true],
      [{ answered: false }, (index) => index % 4 === 0],
      [{ direction: 'inbound', answered: true }, (index) => index % 2 === 1],
      [{ trunk: 'twilio' }, () => true],
      [{ text: 'N1' }, (index) => String(index).startsWith('1')],
      [{ text: '0' }, () => true],
      [{ from: now - 3000 * 7 * minute - 5, to: now - 7 * minute }, (index) => index >= 1 && index <= 3000],
    ]
    for (const [options, fits] of optionSets) {
      const expected = points.flatMap((point, index) => (fits(index) ? [point.fields.from] : []))
      const received: unknown[] = []
      for (let number = 1; received.length < expected.length; number += 1) {
        const { total, rows } = await history.calls({ account_sid: acme }, { ...options, page: number, count: 500 })
        expect(total).toBe(expected.length)
        expect(rows.length).toBe(Math.min(500, expected.length - received.length))
        received.push(...rows.map(({ from }) => from))
      }
      expect(received).toEqual(expected)
    }
    expect(await history.calls({ account_sid: acme }, { page: 100, count: 500 })).toEqual({ total: count, rows: [] })
  }, 60_000)

  describe.skipIf(kind === 'influx')('in tables', () => {
    it('keeps calls of one millisecond apart and orders them by nanoseconds', async () => {
      const { north } = tenants()
      const owner = { service_provider_sid: north }
      const timeMs = now - 777 * minute
      await history.write('cdrs', [
        call(owner, { timeMs, extraNs: 20, fields: { from: 'early' } }),
        call(owner, { timeMs, extraNs: 990_000, fields: { from: 'late' } }),
        ...Array.from({ length: 300 }, (_, index) =>
          call(owner, { timeMs: timeMs - 1, fields: { from: `same ${index}` } }),
        ),
      ])
      const { total, rows } = await history.calls(owner, { page: 1, count: 500 })
      expect(total).toBe(302)
      expect(rows.slice(0, 2).map(({ from }) => from)).toEqual(['late', 'early'])
      expect(new Set(rows.map(({ from }) => from)).size).toBe(302)
    })

    it('stores more calls than a millisecond has ids, for writers with clocks of seconds', async () => {
      const { north } = tenants()
      const owner = { service_provider_sid: north }
      const timeMs = Math.floor(now / 1000) * 1000 - minute
      for (let part = 0; part < 3; part += 1)
        await history.write(
          'cdrs',
          Array.from({ length: 800 }, (_, index) => call(owner, { timeMs, fields: { call_sid: `s${part} ${index}` } })),
        )
      expect((await history.calls(owner, { page: 1, count: 1 })).total).toBe(2400)
      const { total } = await history.calls(owner, { page: 1, count: 1, from: timeMs, to: timeMs + 2 })
      expect(total).toBe(2400)
    })

    it('stores and counts concurrent writes exactly once', async () => {
      const { north, acme } = tenants()
      const owner = { service_provider_sid: north, account_sid: acme }
      const shared = call(owner)
      const timeMs = now - 888 * minute
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          history.write('cdrs', [call(owner, { timeMs: timeMs + index * minute }), shared]),
        ),
      )
      expect((await history.calls({ account_sid: acme }, page)).total).toBe(61)
      expect((await history.calls({ service_provider_sid: north }, { ...page, trunk: 'twilio' })).total).toBe(61)
    })

    it('hides and prunes records after their retention period', async () => {
      const { north } = tenants()
      const owner = { service_provider_sid: north }
      const day = 24 * 60 * minute
      await history.write(
        'cdrs',
        [0, 1, 2, 3, 4].map((days) => call(owner, { timeMs: now - days * day })),
      )
      await history.write('alerts', [call(owner, { timeMs: now - 2 * day })])
      const stored = sqlCallHistory({ database: database! }, { calls: 2, alerts: 1 }, () => now)
      const total = async () => (await stored.calls(owner, page)).total
      expect([await total(), (await stored.alerts(owner, page)).total]).toEqual([3, 0])
      await stored.prune()
      expect([await total(), (await stored.alerts(owner, page)).total]).toEqual([3, 0])
      const counted = await sql<{ number: number }>`select sum(number) as number from trunkline_hour_counts
        where owner_sid = ${north} and kind between 10 and 18`.execute(database!.db)
      expect(Number(counted.rows[0]?.number)).toBe(3)
      expect((await history.calls(owner, page)).total).toBe(3)
      now += 2 * day
      expect(await total()).toBe(1)
    })
  })
})

describe('an unreachable InfluxDB', () => {
  it('is reported as unavailable', async () => {
    const history = influxCallHistory('http://127.0.0.1:9')
    await expect(history.calls({ account_sid: 'x' }, page)).rejects.toThrow(UnavailableError)
    await expect(history.write('cdrs', [{ tags: {}, fields: { a: 1 }, time: 1n }])).rejects.toThrow('does not respond')
  })
})
