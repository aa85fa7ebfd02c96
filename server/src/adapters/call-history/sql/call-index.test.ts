import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, tenants } from '../../../../test/call-stores'
import { engines, type EmptyDatabase } from '../../../../test/engines'
import type { CallHistory, CallListOptions, Tenant } from '../../../ports/call-history'
import { sqlCallHistory } from './store'
import { matchingIds, type CallBlock } from './call-block'
import { callKinds, withAllOffsets, lastId, trunkKindOffset } from './time-ids'

const page = { page: 1, count: 500 }
const day = 86_400_000
/** The kinds under which calls per trunk are counted. */
const ofTrunks = withAllOffsets(callKinds).filter((kind) => kind >= trunkKindOffset)

describe.each(engines)('the call index (%s)', (engine) => {
  const now = Date.now()
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const store = await openCallStore(engine, () => now)
    history = store.history
    database = store.database!
  })
  afterAll(() => database?.close())

  /** A second server on this database. */
  const started = (days = 0) => sqlCallHistory({ database }, { calls: days, alerts: 0 }, () => now)
  const find = async (store: CallHistory, tenant: Tenant, options: Partial<CallListOptions>) => {
    const { total, rows } = await store.calls(tenant, { ...page, ...options })
    return { total, numbers: rows.map(({ from }) => from) }
  }
  /** Sums of the same hour and outcome may come in parts. */
  const added = async (store: CallHistory, tenant: Tenant, options: Partial<CallListOptions>) => {
    const sums = new Map<string, number>()
    for (const { hour, answered, sip_status, number } of await store.sums(tenant, options)) {
      const key = JSON.stringify([hour, answered, sip_status])
      sums.set(key, (sums.get(key) ?? 0) + number)
    }
    return [...sums].toSorted()
  }
  const packs = async () => {
    const { rows } = await sql<{ hour: number; calls: CallBlock }>`
      select hour, calls from trunkline_packed_calls`.execute(database.db)
    return rows
  }
  /** The ids of all calls in blocks, with repetitions. */
  const stored = async () =>
    (await packs()).flatMap(({ hour, calls }) =>
      matchingIds(hour, calls, { text: '', ids: new Set(), kinds: new Set(callKinds), low: 0, high: lastId }),
    )

  it('combines text with every other filter, in lists and aggregates', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    await history.write('cdrs', [
      callPoint(owner, { timeMs: now, fields: { from: 'x1', duration: 5, sip_status: 200, answered_at: now + 100 } }),
      callPoint(owner, { timeMs: now - 1, tags: { direction: 'outbound' }, fields: { from: 'x2', sip_status: 200 } }),
      callPoint(owner, { timeMs: now - 2, tags: { answered: 'false' }, fields: { from: 'x3', sip_status: 486 } }),
      callPoint(owner, { timeMs: now - 3, tags: { answered: '', trunk: 'Telnyx' }, fields: { from: 'X4' } }),
      callPoint(owner, { timeMs: now - 4, fields: { from: 'y5' } }),
    ])
    for (const tenant of [{ account_sid: acme }, { service_provider_sid: north }]) {
      const withName = async (options: Partial<CallListOptions>) =>
        (await find(history, tenant, { text: 'x', ...options })).numbers
      expect(await withName({})).toEqual(['x1', 'x2', 'x3', 'X4'])
      expect(await withName({ direction: 'outbound' })).toEqual(['x2'])
      expect(await withName({ answered: false })).toEqual(['x3', 'X4'])
      expect(await withName({ direction: 'inbound', answered: true })).toEqual(['x1'])
      expect(await withName({ trunk: 'Telnyx' })).toEqual(['X4'])
      expect(await withName({ sip_status: 486 })).toEqual(['x3'])
      expect(await withName({ sip_status: 0 })).toEqual(['X4'])
      expect(await withName({ from: now - 2, to: now - 1 })).toEqual(['x2', 'x3'])
      expect(await history.sums(tenant, { text: 'x', sip_status: 200, direction: 'inbound' })).toEqual([
        {
          hour: Math.floor(now / 3_600_000),
          answered: true,
          sip_status: 200,
          number: 1,
          seconds: 5,
          timed: 1,
          delay: 100,
        },
      ])
      const [unsaid] = await history.sums(tenant, { text: 'x4' })
      expect(unsaid).toMatchObject({ answered: false, sip_status: 0, number: 1 })
    }
  })

  it('follows updates of numbers and owners', async () => {
    const { north, acme, bolt } = tenants()
    const owner = { service_provider_sid: north }
    const fields = { call_sid: 'again', account_sid: acme, from: '111', to: '999' }
    const point = callPoint(owner, { timeMs: now - day, fields })
    await history.write('cdrs', [point])
    expect(await find(history, { account_sid: acme }, { text: '11' })).toEqual({ total: 1, numbers: ['111'] })
    await history.write('cdrs', [{ ...point, fields: { ...fields, account_sid: bolt, from: '222' } }])
    expect(await find(history, owner, { text: '11' })).toEqual({ total: 0, numbers: [] })
    expect(await find(history, owner, { text: '22' })).toEqual({ total: 1, numbers: ['222'] })
    expect(await find(history, { account_sid: bolt }, { text: '22' })).toEqual({ total: 1, numbers: ['222'] })
    expect(await find(history, { account_sid: acme }, { text: '99' })).toEqual({ total: 0, numbers: [] })
  })

  it('does not index a rejected point', async () => {
    const { north } = tenants()
    const initialValue = await stored()
    const good = callPoint({ service_provider_sid: north }, { timeMs: now })
    await expect(history.write('cdrs', [good, { ...good, time: -(2n ** 63n) }])).rejects.toThrow()
    expect(await find(history, { service_provider_sid: north }, {})).toEqual({ total: 0, numbers: [] })
    expect(await stored()).toEqual(initialValue)
  })

  it('searches literally within each number', async () => {
    const { north } = tenants()
    const owner = { service_provider_sid: north }
    await history.write('cdrs', [
      callPoint(owner, { timeMs: now, fields: { from: 'Zoë\u0000@example.com', to: 'ab\ncd' } }),
      callPoint(owner, { timeMs: now - 1, fields: { from: '100% 5_5', to: '' } }),
    ])
    const total = async (text: string) => (await find(history, owner, { text })).total
    expect(await total('ZOË')).toBe(1)
    expect(await total('ë\u0000@')).toBe(1)
    expect(await total('%')).toBe(1)
    expect(await total('_')).toBe(1)
    expect(await total('5_')).toBe(1)
    expect(await total('zo_')).toBe(0)
    // a match does not span two numbers or two calls
    expect(await total('mab')).toBe(0)
    expect(await total('cd1')).toBe(0)
  })

  it('stores many calls per row, for single and bulk writes', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const point = (index: number) =>
      callPoint(owner, {
        timeMs: now - index * 4000,
        fields: { from: `p${index}`, to: `1857555${String(index).padStart(4, '0')}` },
      })
    const initialValue = (await packs()).length
    await history.write(
      'cdrs',
      Array.from({ length: 2000 }, (_, index) => point(index)),
    )
    for (let index = 2000; index < 2100; index += 1) await history.write('cdrs', [point(index)])
    const rows = (await packs()).slice(initialValue)
    expect(rows.length).toBeLessThan(4200 / 15)
    expect(Math.max(...(await packs()).map(({ calls }) => calls.length))).toBeLessThan(1000)
    expect((await find(history, owner, { text: 'p' })).total).toBe(2100)
    expect((await find(history, { account_sid: acme }, { text: '1857555209' })).total).toBe(10)
  }, 60_000)

  it('keeps all calls of concurrent servers', async () => {
    const { north } = tenants()
    const owner = { service_provider_sid: north }
    const servers = [started(), started(), started()]
    await Promise.all(servers.map((server) => server.backfill(new AbortController().signal)))
    for (let round = 0; round < 20; round += 1)
      await Promise.all(
        servers.map((server, index) =>
          server.write('cdrs', [callPoint(owner, { timeMs: now - round, fields: { from: `w${round}x${index}` } })]),
        ),
      )
    const { total, numbers } = await find(history, owner, { text: 'w' })
    expect(total).toBe(60)
    expect(new Set(numbers).size).toBe(60)
  }, 60_000)

  it('indexes a call once per owner, also when it is written again', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = [0, 1, 2].map((index) => callPoint(owner, { timeMs: now - index, fields: { from: `same${index}` } }))
    const initialValue = new Set(await stored())
    await history.write('cdrs', points)
    await history.write('cdrs', points.slice(1))
    await history.write('cdrs', points)
    const ids = (await stored()).filter((id) => !initialValue.has(id))
    expect(ids).toHaveLength(6)
    expect(await find(history, owner, { text: 'same' })).toEqual({ total: 3, numbers: ['same0', 'same1', 'same2'] })
  })

  it('finds calls of an older version before, during and after the backfill', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = Array.from({ length: 1300 }, (_, index) =>
      callPoint(owner, {
        timeMs: now - index * 1000,
        tags: {
          direction: index % 2 ? 'inbound' : 'outbound',
          trunk: `T${index % 3}`,
          answered: String(index % 5 > 0),
        },
        fields: { from: `n${index}`, to: 'm', sip_status: index % 5 ? 200 : 486 },
      }),
    )
    await history.write('cdrs', points)
    const optionSets: Partial<CallListOptions>[] = [
      { text: 'N12' },
      { text: '7', direction: 'inbound' },
      { text: '7', trunk: 'T1', answered: true },
      { text: '9', sip_status: 486, from: now - 400_000 },
      { trunk: 'T1' },
      { trunk: 't2', answered: false, to: now - 500_000 },
    ]
    const all = async (store: CallHistory) =>
      Promise.all(
        optionSets.flatMap((options) =>
          [{ account_sid: acme }, { service_provider_sid: north }].flatMap((tenant) => [
            find(store, tenant, options),
            added(store, tenant, options),
          ]),
        ),
      )
    const expected = await all(history)
    expect(expected[0]).toMatchObject({ total: 111 })

    await sql`delete from trunkline_packed_calls`.execute(database.db)
    await sql`delete from trunkline_hour_counts where kind in (${sql.join(ofTrunks)})`.execute(database.db)
    await sql`delete from trunkline_progress`.execute(database.db)
    const server = started()
    expect(await all(server)).toEqual(expected)
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 1)
    await server.backfill(stop.signal)
    expect(await all(server)).toEqual(expected)
    // a call that arrives meanwhile is found immediately and once
    await server.write('cdrs', [{ ...points[1250]!, fields: { ...points[1250]!.fields, from: 'late7' } }])
    expect(await find(server, owner, { text: 'late', trunk: 'T2' })).toEqual({ total: 1, numbers: ['late7'] })
    await server.write('cdrs', [points[1250]!])
    await Promise.all([server, started()].map((item) => item.backfill(new AbortController().signal)))
    expect(await all(server)).toEqual(expected)
    expect(await all(started())).toEqual(expected)
    const { rows } = await sql<{ id: number }>`select id from trunkline_calls where account_sid is not null
      union all select id from trunkline_calls where service_provider_sid is not null`.execute(database.db)
    expect((await stored()).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  }, 60_000)

  it('lists pages of a text with very many matches', async () => {
    const { north } = tenants()
    const owner = { service_provider_sid: north }
    const count = 5600
    for (let index = 0; index < count; index += 1000)
      await history.write(
        'cdrs',
        Array.from({ length: Math.min(1000, count - index) }, (_, each) =>
          callPoint(owner, {
            timeMs: now - (index + each) * 1000,
            fields: { call_sid: `c${index + each}`, from: `z${index + each}` },
          }),
        ),
      )
    for (const number of [1, 3, 9, 12]) {
      const { total, rows } = await history.calls(owner, { page: number, count: 500, text: 'z' })
      expect(total).toBe(count)
      expect(rows.map(({ from }) => from)).toEqual(
        Array.from(
          { length: Math.min(500, count - (number - 1) * 500) },
          (_, index) => `z${(number - 1) * 500 + index}`,
        ),
      )
    }
    const [sum] = await history.sums(owner, { text: 'z', from: now, to: now })
    expect(sum).toMatchObject({ number: 1 })
  }, 120_000)

  it('is pruned together with its calls', async () => {
    const { north, acme } = tenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    await history.write(
      'cdrs',
      [0, 1, 2, 3].map((days) => callPoint(owner, { timeMs: now - days * day, fields: { from: `old${days}` } })),
    )
    const short = started(2)
    expect(await find(short, owner, { text: 'old' })).toEqual({ total: 3, numbers: ['old0', 'old1', 'old2'] })
    await short.prune()
    expect(await find(history, owner, { text: 'old' })).toEqual({ total: 3, numbers: ['old0', 'old1', 'old2'] })
    const { rows } = await sql<{ id: number }>`select id from trunkline_calls`.execute(database.db)
    const left = new Set(rows.map(({ id }) => id))
    expect((await stored()).filter((id) => !left.has(id))).toEqual([])
  })
})
