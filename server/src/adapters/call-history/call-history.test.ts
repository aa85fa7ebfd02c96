import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  callPoint,
  callStores,
  isDatabaseEngine,
  newTenants,
  openCallStore,
  type CallStore,
} from '../../../test/call-stores'
import type { CallHistory, CallListOptions, Point, Tenant } from '../../ports/call-history'
import { createSqlCallHistory } from './sql/store'

const page = { page: 1, count: 25 }
const minuteMs = 60_000

describe.each(callStores)('the call history (%s)', (kind) => {
  let now = Date.now()
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  const buildCall = (owner: Parameters<typeof callPoint>[0], options: Partial<Parameters<typeof callPoint>[1]> = {}) =>
    callPoint(owner, { timeMs: now, ...options })
  const findCallers = async (tenant: Tenant, options: Partial<CallListOptions> = {}) => {
    const { total, rows } = await history.listCalls(tenant, { ...page, ...options })
    expect(total).toBe(rows.length)
    return rows.map(({ from }) => from)
  }

  it('is empty before the first record', async () => {
    expect(await history.listCalls({ account_sid: randomUUID() }, page)).toEqual({ total: 0, rows: [] })
    expect(await history.listAlerts({ service_provider_sid: randomUUID() }, page)).toEqual({ total: 0, rows: [] })
    expect(await history.findCall({ account_sid: randomUUID() }, { sip_callid: 'none' })).toBeUndefined()
  })

  it('returns records with nulls for missing fields, to their owners only', async () => {
    const { north, south, acme, bolt } = newTenants()
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
    await history.writePoints('cdrs', [buildCall({ service_provider_sid: north, account_sid: acme }, { fields })])
    const { total, rows } = await history.listCalls({ account_sid: acme }, page)
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
    expect(await history.listCalls({ service_provider_sid: north }, page)).toEqual({ total, rows })
    for (const tenant of [{ account_sid: bolt }, { service_provider_sid: south }, { account_sid: north }])
      expect(await history.listCalls(tenant, page)).toEqual({ total: 0, rows: [] })
    const owners = [{ account_sid: acme }, { service_provider_sid: north }]
    const foreignTenants = [{ account_sid: bolt }, { service_provider_sid: south }]
    for (const identifier of [{ sip_callid: fields.sip_callid }, { call_sid: fields.call_sid }]) {
      const isOwner = (tenant: Tenant) => history.isCallOwner(tenant, identifier)
      expect(await Promise.all(owners.map(isOwner))).toEqual([true, true])
      expect(await Promise.all(foreignTenants.map(isOwner))).toEqual([false, false])
    }
  })

  it('merges points that are written more than once', async () => {
    const { north, acme } = newTenants()
    const point = buildCall({ service_provider_sid: north, account_sid: acme }, { fields: { call_sid: 'again' } })
    await history.writePoints('cdrs', [point])
    await history.writePoints('cdrs', [{ ...point, fields: { call_sid: 'again', cost: 2 } }])
    const { total, rows } = await history.listCalls({ account_sid: acme }, page)
    expect({ total, length: rows.length }).toEqual({ total: 1, length: 1 })
    expect(rows[0]).toMatchObject({ call_sid: 'again', from: '15551230000', cost: 2 })
  })

  it('filters by direction, answered, trunk and time', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const tenant = { account_sid: acme }
    const buildCallFrom = (from: string, tags: Record<string, string>, minutesAgo: number) =>
      buildCall(owner, { tags, fields: { from }, timeMs: now - minutesAgo * minuteMs })
    await history.writePoints('cdrs', [
      buildCallFrom('a', {}, 0),
      buildCallFrom('b', { direction: 'outbound' }, 10),
      buildCallFrom('c', { answered: 'false', trunk: 'telnyx' }, 200),
      buildCallFrom('d', { direction: 'outbound', answered: 'false' }, 5000),
    ])
    expect(await findCallers(tenant)).toEqual(['a', 'b', 'c', 'd'])
    expect(await findCallers(tenant, { direction: 'outbound' })).toEqual(['b', 'd'])
    expect(await findCallers(tenant, { answered: false })).toEqual(['c', 'd'])
    expect(await findCallers(tenant, { direction: 'inbound', answered: true })).toEqual(['a'])
    expect(await findCallers(tenant, { trunk: 'telnyx' })).toEqual(['c'])
    expect(await findCallers(tenant, { trunk: 'twilio', answered: true })).toEqual(['a', 'b'])
    expect(await findCallers(tenant, { from: now - 10 * minuteMs })).toEqual(['a', 'b'])
    expect(await findCallers(tenant, { to: now - 10 * minuteMs })).toEqual(['b', 'c', 'd'])
    expect(await findCallers(tenant, { from: now - 201 * minuteMs, to: now - 9 * minuteMs })).toEqual(['b', 'c'])
    expect(await findCallers(tenant, { from: now - 200 * minuteMs, to: now - 200 * minuteMs })).toEqual(['c'])
    expect(await findCallers(tenant, { from: now, to: now - minuteMs })).toEqual([])
  })

  it.each(['0000-01-01', '1677-09-21', '2262-04-12', '9999-12-31'])('accepts a range from or to %s', async (day) => {
    const { north, acme } = newTenants()
    const owner = { account_sid: acme }
    await history.writePoints('cdrs', [
      buildCall({ service_provider_sid: north, account_sid: acme }, { fields: { from: 'one' } }),
    ])
    const timeMs = Date.parse(`${day}T12:00:00.000Z`)
    expect(await findCallers(owner, { from: timeMs })).toEqual(timeMs < now ? ['one'] : [])
    expect(await findCallers(owner, { to: timeMs })).toEqual(timeMs < now ? [] : ['one'])
    expect(await history.sumCalls(owner, { to: timeMs })).toHaveLength(timeMs < now ? 0 : 1)
    expect((await history.listAlerts(owner, { ...page, from: timeMs })).total).toBe(0)
  })

  it('searches text literally, ignoring case, and SIDs by their complete value', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const tenant = { account_sid: acme }
    await history.writePoints('cdrs', [
      buildCall(owner, { fields: { from: '+1.555/0100', to: '442012', call_sid: 'cafe-1' }, timeMs: now }),
      buildCall(owner, { fields: { from: '15550100', to: 'sip:Bob%_@Host', call_sid: 'cafe-2' }, timeMs: now - 1 }),
      buildCall(owner, { fields: { from: 'cafe-1', to: 'Zoë', call_sid: 'cafe-3' }, timeMs: now - 2 }),
    ])
    expect(await findCallers(tenant, { text: '+1.555/0' })).toEqual(['+1.555/0100'])
    expect(await findCallers(tenant, { text: '.' })).toEqual(['+1.555/0100'])
    expect(await findCallers(tenant, { text: 'bob%_' })).toEqual(['15550100'])
    expect(await findCallers(tenant, { text: 'BOB' })).toEqual(['15550100'])
    expect(await findCallers(tenant, { text: '0100' })).toEqual(['+1.555/0100', '15550100'])
    expect(await findCallers(tenant, { text: 'cafe-1' })).toEqual(['+1.555/0100', 'cafe-1'])
    expect(await findCallers(tenant, { text: 'cafe-' })).toEqual(['cafe-1'])
    expect(await findCallers(tenant, { text: 'zoë' })).toEqual(['cafe-1'])
    expect(await findCallers(tenant, { text: ".*'; drop" })).toEqual([])
    expect(await findCallers({ service_provider_sid: north }, { text: '442', direction: 'outbound' })).toEqual([])
  })

  it('finds a call of a tenant by each identifier', async () => {
    const { north, acme, bolt } = newTenants()
    const fields = { sip_callid: "x'y@Host", trace_id: 'ab12', call_sid: 'named' }
    await history.writePoints('cdrs', [buildCall({ service_provider_sid: north, account_sid: acme }, { fields })])
    for (const identifier of [{ sip_callid: "x'y@Host" }, { trace_id: 'ab12' }, { call_sid: 'named' }])
      for (const tenant of [{ account_sid: acme }, { service_provider_sid: north }])
        expect(await history.findCall(tenant, identifier)).toMatchObject(fields)
    expect(await history.findCall({ account_sid: bolt }, { call_sid: 'named' })).toBeUndefined()
    expect(await history.findCall({ account_sid: acme }, { sip_callid: "x'y@host" })).toBeUndefined()
  })

  it('stores alerts with and without an account', async () => {
    const { north, acme } = newTenants()
    const buildAlert = (tags: Record<string, string>, message: string, ageMs: number): Point => ({
      tags: { service_provider_sid: north, ...tags },
      fields: { message, detail: 'why' },
      timeNs: BigInt(now - ageMs) * 1_000_000n,
    })
    await history.writePoints('alerts', [
      buildAlert({ account_sid: acme, alert_type: 'no-tts', vendor: 'google' }, 'one', 0),
      buildAlert({ alert_type: 'no-carrier' }, 'two', 1000),
    ])
    const alerts = await history.listAlerts({ service_provider_sid: north }, page)
    expect(alerts.total).toBe(2)
    expect(alerts.rows.map(({ message }) => message)).toEqual(['one', 'two'])
    expect(alerts.rows[0]).toMatchObject({
      time: new Date(now).toISOString(),
      account_sid: acme,
      alert_type: 'no-tts',
      detail: 'why',
      service_provider_sid: north,
      vendor: 'google',
    })
    expect(alerts.rows[1]).toMatchObject({ account_sid: null, vendor: null })
    expect((await history.listAlerts({ account_sid: acme }, { ...page, alert_type: 'no-tts' })).total).toBe(1)
    expect((await history.listAlerts({ account_sid: acme }, { ...page, alert_type: 'no-carrier' })).total).toBe(0)
    expect((await history.listAlerts({ service_provider_sid: north }, { ...page, to: now - 500 })).total).toBe(1)
  })

  it('lists each call of many hours on exactly one page', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const count = 5400
    const points = Array.from({ length: count }, (_, index) =>
      buildCall(owner, {
        timeMs: now - index * 7 * minuteMs - (index % 3),
        tags: { answered: String(index % 4 !== 0), direction: index % 2 ? 'inbound' : 'outbound' },
        fields: { from: `n${index}` },
      }),
    )
    for (let index = 0; index < count; index += 900) await history.writePoints('cdrs', points.slice(index, index + 900))
    const optionSets: [Partial<CallListOptions>, (index: number) => boolean][] = [
      [{}, () => true],
      [{ answered: false }, (index) => index % 4 === 0],
      [{ direction: 'inbound', answered: true }, (index) => index % 2 === 1],
      [{ trunk: 'twilio' }, () => true],
      [{ text: 'N1' }, (index) => String(index).startsWith('1')],
      [{ text: '0' }, () => true],
      [{ from: now - 3000 * 7 * minuteMs - 5, to: now - 7 * minuteMs }, (index) => index >= 1 && index <= 3000],
    ]
    for (const [options, matches] of optionSets) {
      const expected = points.flatMap((point, index) => (matches(index) ? [point.fields.from] : []))
      const listedCallers: unknown[] = []
      for (let pageNumber = 1; listedCallers.length < expected.length; pageNumber += 1) {
        const { total, rows } = await history.listCalls(
          { account_sid: acme },
          { ...options, page: pageNumber, count: 500 },
        )
        expect(total).toBe(expected.length)
        expect(rows.length).toBe(Math.min(500, expected.length - listedCallers.length))
        listedCallers.push(...rows.map(({ from }) => from))
      }
      expect(listedCallers).toEqual(expected)
    }
    expect(await history.listCalls({ account_sid: acme }, { page: 100, count: 500 })).toEqual({
      total: count,
      rows: [],
    })
  }, 60_000)

  describe.skipIf(kind === 'influx')('with a record for each call', () => {
    it('stores calls of the same millisecond separately and orders them by nanoseconds', async () => {
      const { north } = newTenants()
      const owner = { service_provider_sid: north }
      const timeMs = now - 777 * minuteMs
      await history.writePoints('cdrs', [
        buildCall(owner, { timeMs, extraNs: 20, fields: { from: 'early' } }),
        buildCall(owner, { timeMs, extraNs: 990_000, fields: { from: 'late' } }),
        ...Array.from({ length: 300 }, (_, index) =>
          buildCall(owner, { timeMs: timeMs - 1, fields: { from: `same ${index}` } }),
        ),
      ])
      const { total, rows } = await history.listCalls(owner, { page: 1, count: 500 })
      expect(total).toBe(302)
      expect(rows.slice(0, 2).map(({ from }) => from)).toEqual(['late', 'early'])
      expect(new Set(rows.map(({ from }) => from)).size).toBe(302)
    })

    it('stores more calls per millisecond than there are ids', async () => {
      const { north } = newTenants()
      const owner = { service_provider_sid: north }
      const timeMs = Math.floor(now / 1000) * 1000 - minuteMs
      for (let part = 0; part < 3; part += 1)
        await history.writePoints(
          'cdrs',
          Array.from({ length: 800 }, () => buildCall(owner, { timeMs })),
        )
      expect((await history.listCalls(owner, { page: 1, count: 1 })).total).toBe(2400)
      const { total } = await history.listCalls(owner, { page: 1, count: 1, from: timeMs, to: timeMs + 2 })
      expect(total).toBe(2400)
    })

    it('stores and counts concurrent writes exactly once', async () => {
      const { north, acme } = newTenants()
      const owner = { service_provider_sid: north, account_sid: acme }
      const repeatedCall = buildCall(owner)
      const timeMs = now - 888 * minuteMs
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          history.writePoints('cdrs', [buildCall(owner, { timeMs: timeMs + index * minuteMs }), repeatedCall]),
        ),
      )
      expect((await history.listCalls({ account_sid: acme }, page)).total).toBe(61)
      expect((await history.listCalls({ service_provider_sid: north }, { ...page, trunk: 'twilio' })).total).toBe(61)
    })

    it.runIf(isDatabaseEngine(kind))('hides and prunes records after their retention period', async () => {
      const { north } = newTenants()
      const owner = { service_provider_sid: north }
      const dayMs = 24 * 60 * minuteMs
      await history.writePoints(
        'cdrs',
        [0, 1, 2, 3, 4].map((days) => buildCall(owner, { timeMs: now - days * dayMs })),
      )
      await history.writePoints('alerts', [buildCall(owner, { timeMs: now - 2 * dayMs })])
      const storeWithRetention = createSqlCallHistory({ database: database! }, { calls: 2, alerts: 1 }, () => now)
      const countCalls = async () => (await storeWithRetention.listCalls(owner, page)).total
      expect([await countCalls(), (await storeWithRetention.listAlerts(owner, page)).total]).toEqual([3, 0])
      await storeWithRetention.prune()
      expect([await countCalls(), (await storeWithRetention.listAlerts(owner, page)).total]).toEqual([3, 0])
      // The kinds 10 to 18 count the calls of providers.
      const { rows: counts } = await sql<{ number: number }>`select sum(number) as number from trunkline_hour_counts
        where owner_sid = ${north} and kind between 10 and 18`.execute(database!.db)
      expect(Number(counts[0]?.number)).toBe(3)
      expect((await history.listCalls(owner, page)).total).toBe(3)
      now += 2 * dayMs
      expect(await countCalls()).toBe(1)
    })
  })
})
