import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, newTenants } from '../../../../test/call-stores'
import { databaseEngines, type EmptyDatabase } from '../../../../test/databases'
import type { CallHistory, CallListOptions, Tenant } from '../../../ports/call-history'
import { createSqlCallHistory } from './store'
import { findMatchingIds, type CallBlock } from './call-block'
import { callKinds, withAllOffsets, maxId, trunkKindOffset } from './time-ids'

const page = { page: 1, count: 500 }
const dayMs = 86_400_000
/** The kinds under which calls per trunk are counted. */
const trunkKinds = withAllOffsets(callKinds).filter((kind) => kind >= trunkKindOffset)

describe.each(databaseEngines)('the call index (%s)', (databaseEngine) => {
  const now = Date.now()
  let history: CallHistory
  let database: EmptyDatabase
  beforeAll(async () => {
    const store = await openCallStore(databaseEngine, () => now)
    history = store.history
    database = store.database!
  })
  afterAll(() => database?.close())

  /** Opens the database as another server does. `retentionDays`: days until calls are deleted. */
  const openServer = (retentionDays = 0) =>
    createSqlCallHistory({ database }, { calls: retentionDays, alerts: 0 }, () => now)
  const findCalls = async (store: CallHistory, tenant: Tenant, options: Partial<CallListOptions>) => {
    const { total, rows } = await store.listCalls(tenant, { ...page, ...options })
    return { total, numbers: rows.map(({ from }) => from) }
  }
  /** Returns the number of calls per hour and outcome. A store may return several sums for the same hour and outcome. */
  const countByOutcome = async (store: CallHistory, tenant: Tenant, options: Partial<CallListOptions>) => {
    const counts = new Map<string, number>()
    for (const { hour, answered, sip_status, callCount } of await store.sumCalls(tenant, options)) {
      const key = JSON.stringify([hour, answered, sip_status])
      counts.set(key, (counts.get(key) ?? 0) + callCount)
    }
    return [...counts].toSorted()
  }
  const readBlocks = async () => {
    const { rows } = await sql<{ hour: number; calls: CallBlock }>`
      select hour, calls from trunkline_packed_calls`.execute(database.db)
    return rows
  }
  /** Returns the ids of all calls in blocks. The id of a call occurs once per owner. */
  const readIndexedIds = async () =>
    (await readBlocks()).flatMap(({ hour, calls }) =>
      findMatchingIds(hour, calls, { text: '', ids: new Set(), kinds: new Set(callKinds), low: 0, high: maxId }),
    )

  it('combines text with every other filter, in lists and aggregates', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    await history.writePoints('cdrs', [
      callPoint(owner, { timeMs: now, fields: { from: 'x1', duration: 5, sip_status: 200, answered_at: now + 100 } }),
      callPoint(owner, { timeMs: now - 1, tags: { direction: 'outbound' }, fields: { from: 'x2', sip_status: 200 } }),
      callPoint(owner, { timeMs: now - 2, tags: { answered: 'false' }, fields: { from: 'x3', sip_status: 486 } }),
      callPoint(owner, { timeMs: now - 3, tags: { answered: '', trunk: 'Telnyx' }, fields: { from: 'X4' } }),
      callPoint(owner, { timeMs: now - 4, fields: { from: 'y5' } }),
    ])
    for (const tenant of [{ account_sid: acme }, { service_provider_sid: north }]) {
      const findNumbers = async (options: Partial<CallListOptions>) =>
        (await findCalls(history, tenant, { text: 'x', ...options })).numbers
      expect(await findNumbers({})).toEqual(['x1', 'x2', 'x3', 'X4'])
      expect(await findNumbers({ direction: 'outbound' })).toEqual(['x2'])
      expect(await findNumbers({ answered: false })).toEqual(['x3', 'X4'])
      expect(await findNumbers({ direction: 'inbound', answered: true })).toEqual(['x1'])
      expect(await findNumbers({ trunk: 'Telnyx' })).toEqual(['X4'])
      expect(await findNumbers({ sip_status: 486 })).toEqual(['x3'])
      expect(await findNumbers({ sip_status: 0 })).toEqual(['X4'])
      expect(await findNumbers({ from: now - 2, to: now - 1 })).toEqual(['x2', 'x3'])
      expect(await history.sumCalls(tenant, { text: 'x', sip_status: 200, direction: 'inbound' })).toEqual([
        {
          hour: Math.floor(now / 3_600_000),
          answered: true,
          sip_status: 200,
          callCount: 1,
          totalSeconds: 5,
          timedCallCount: 1,
          totalDelayMs: 100,
        },
      ])
      const [sumWithoutStatus] = await history.sumCalls(tenant, { text: 'x4' })
      expect(sumWithoutStatus).toMatchObject({ answered: false, sip_status: 0, callCount: 1 })
    }
  })

  it('finds a call by its new number and owner after an update', async () => {
    const { north, acme, bolt } = newTenants()
    const owner = { service_provider_sid: north }
    const fields = { call_sid: 'again', account_sid: acme, from: '111', to: '999' }
    const point = callPoint(owner, { timeMs: now - dayMs, fields })
    await history.writePoints('cdrs', [point])
    expect(await findCalls(history, { account_sid: acme }, { text: '11' })).toEqual({ total: 1, numbers: ['111'] })
    await history.writePoints('cdrs', [{ ...point, fields: { ...fields, account_sid: bolt, from: '222' } }])
    expect(await findCalls(history, owner, { text: '11' })).toEqual({ total: 0, numbers: [] })
    expect(await findCalls(history, owner, { text: '22' })).toEqual({ total: 1, numbers: ['222'] })
    expect(await findCalls(history, { account_sid: bolt }, { text: '22' })).toEqual({ total: 1, numbers: ['222'] })
    expect(await findCalls(history, { account_sid: acme }, { text: '99' })).toEqual({ total: 0, numbers: [] })
  })

  it('does not index a rejected point', async () => {
    const { north } = newTenants()
    const idsBefore = await readIndexedIds()
    const validPoint = callPoint({ service_provider_sid: north }, { timeMs: now })
    await expect(history.writePoints('cdrs', [validPoint, { ...validPoint, timeNs: -(2n ** 63n) }])).rejects.toThrow()
    expect(await findCalls(history, { service_provider_sid: north }, {})).toEqual({ total: 0, numbers: [] })
    expect(await readIndexedIds()).toEqual(idsBefore)
  })

  it('searches literally within each number', async () => {
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    await history.writePoints('cdrs', [
      callPoint(owner, { timeMs: now, fields: { from: 'Zoë\u0000@example.com', to: 'ab\ncd' } }),
      callPoint(owner, { timeMs: now - 1, fields: { from: '100% 5_5', to: '' } }),
    ])
    const countMatches = async (text: string) => (await findCalls(history, owner, { text })).total
    expect(await countMatches('ZOË')).toBe(1)
    expect(await countMatches('ë\u0000@')).toBe(1)
    expect(await countMatches('%')).toBe(1)
    expect(await countMatches('_')).toBe(1)
    expect(await countMatches('5_')).toBe(1)
    expect(await countMatches('zo_')).toBe(0)
    // a match does not span two numbers or two calls
    expect(await countMatches('mab')).toBe(0)
    expect(await countMatches('cd1')).toBe(0)
  })

  it('stores many calls per block, for single and bulk writes', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const buildPoint = (index: number) =>
      callPoint(owner, {
        timeMs: now - index * 4000,
        fields: { from: `p${index}`, to: `1857555${String(index).padStart(4, '0')}` },
      })
    const blockCountBefore = (await readBlocks()).length
    await history.writePoints(
      'cdrs',
      Array.from({ length: 2000 }, (_, index) => buildPoint(index)),
    )
    for (let index = 2000; index < 2100; index += 1) await history.writePoints('cdrs', [buildPoint(index)])
    const rows = (await readBlocks()).slice(blockCountBefore)
    // Each of the 2100 calls is in a block of the account and in one of the provider.
    const callsPerBlock = (2 * 2100) / rows.length
    expect(callsPerBlock).toBeGreaterThan(15)
    expect(Math.max(...(await readBlocks()).map(({ calls }) => calls.length))).toBeLessThan(1000)
    expect((await findCalls(history, owner, { text: 'p' })).total).toBe(2100)
    expect((await findCalls(history, { account_sid: acme }, { text: '1857555209' })).total).toBe(10)
  }, 60_000)

  it('keeps all calls of concurrent servers', async () => {
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const servers = [openServer(), openServer(), openServer()]
    await Promise.all(servers.map((server) => server.backfill(new AbortController().signal)))
    for (let round = 0; round < 20; round += 1)
      await Promise.all(
        servers.map((server, index) =>
          server.writePoints('cdrs', [
            callPoint(owner, { timeMs: now - round, fields: { from: `w${round}x${index}` } }),
          ]),
        ),
      )
    const { total, numbers } = await findCalls(history, owner, { text: 'w' })
    expect(total).toBe(60)
    expect(new Set(numbers).size).toBe(60)
  }, 60_000)

  it('indexes a call once per owner, also when it is written again', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    const points = [0, 1, 2].map((index) => callPoint(owner, { timeMs: now - index, fields: { from: `same${index}` } }))
    const idsBefore = new Set(await readIndexedIds())
    await history.writePoints('cdrs', points)
    await history.writePoints('cdrs', points.slice(1))
    await history.writePoints('cdrs', points)
    const ids = (await readIndexedIds()).filter((id) => !idsBefore.has(id))
    expect(ids).toHaveLength(6)
    expect(await findCalls(history, owner, { text: 'same' })).toEqual({
      total: 3,
      numbers: ['same0', 'same1', 'same2'],
    })
  })

  it('finds calls of an older version before, during and after the backfill', async () => {
    const { north, acme } = newTenants()
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
    await history.writePoints('cdrs', points)
    const optionSets: Partial<CallListOptions>[] = [
      { text: 'N12' },
      { text: '7', direction: 'inbound' },
      { text: '7', trunk: 'T1', answered: true },
      { text: '9', sip_status: 486, from: now - 400_000 },
      { trunk: 'T1' },
      { trunk: 't2', answered: false, to: now - 500_000 },
    ]
    const findAndCountAll = async (store: CallHistory) =>
      Promise.all(
        optionSets.flatMap((options) =>
          [{ account_sid: acme }, { service_provider_sid: north }].flatMap((tenant) => [
            findCalls(store, tenant, options),
            countByOutcome(store, tenant, options),
          ]),
        ),
      )
    const expected = await findAndCountAll(history)
    expect(expected[0]).toMatchObject({ total: 111 })

    await sql`delete from trunkline_packed_calls`.execute(database.db)
    await sql`delete from trunkline_hour_counts where kind in (${sql.join(trunkKinds)})`.execute(database.db)
    await sql`delete from trunkline_progress`.execute(database.db)
    const server = openServer()
    expect(await findAndCountAll(server)).toEqual(expected)
    const abortController = new AbortController()
    setTimeout(() => abortController.abort(), 1)
    await server.backfill(abortController.signal)
    expect(await findAndCountAll(server)).toEqual(expected)
    // a call that arrives during the backfill is found immediately and once
    await server.writePoints('cdrs', [{ ...points[1250]!, fields: { ...points[1250]!.fields, from: 'late7' } }])
    expect(await findCalls(server, owner, { text: 'late', trunk: 'T2' })).toEqual({ total: 1, numbers: ['late7'] })
    await server.writePoints('cdrs', [points[1250]!])
    await Promise.all(
      [server, openServer()].map((serverToBackfill) => serverToBackfill.backfill(new AbortController().signal)),
    )
    expect(await findAndCountAll(server)).toEqual(expected)
    expect(await findAndCountAll(openServer())).toEqual(expected)
    const { rows } = await sql<{ id: number }>`select id from trunkline_calls where account_sid is not null
      union all select id from trunkline_calls where service_provider_sid is not null`.execute(database.db)
    expect((await readIndexedIds()).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  }, 60_000)

  it('lists all pages of a text with thousands of matches', async () => {
    const { north } = newTenants()
    const owner = { service_provider_sid: north }
    const count = 5600
    for (let index = 0; index < count; index += 1000)
      await history.writePoints(
        'cdrs',
        Array.from({ length: Math.min(1000, count - index) }, (_, indexInBatch) =>
          callPoint(owner, {
            timeMs: now - (index + indexInBatch) * 1000,
            fields: { call_sid: `c${index + indexInBatch}`, from: `z${index + indexInBatch}` },
          }),
        ),
      )
    for (const pageNumber of [1, 3, 9, 12]) {
      const { total, rows } = await history.listCalls(owner, { page: pageNumber, count: 500, text: 'z' })
      expect(total).toBe(count)
      expect(rows.map(({ from }) => from)).toEqual(
        Array.from(
          { length: Math.min(500, count - (pageNumber - 1) * 500) },
          (_, index) => `z${(pageNumber - 1) * 500 + index}`,
        ),
      )
    }
    const [sum] = await history.sumCalls(owner, { text: 'z', from: now, to: now })
    expect(sum).toMatchObject({ callCount: 1 })
  }, 120_000)

  it('is pruned together with its calls', async () => {
    const { north, acme } = newTenants()
    const owner = { service_provider_sid: north, account_sid: acme }
    await history.writePoints(
      'cdrs',
      [0, 1, 2, 3].map((days) => callPoint(owner, { timeMs: now - days * dayMs, fields: { from: `old${days}` } })),
    )
    const serverWithRetention = openServer(2)
    expect(await findCalls(serverWithRetention, owner, { text: 'old' })).toEqual({
      total: 3,
      numbers: ['old0', 'old1', 'old2'],
    })
    await serverWithRetention.prune()
    expect(await findCalls(history, owner, { text: 'old' })).toEqual({ total: 3, numbers: ['old0', 'old1', 'old2'] })
    const { rows } = await sql<{ id: number }>`select id from trunkline_calls`.execute(database.db)
    const remainingIds = new Set(rows.map(({ id }) => id))
    expect((await readIndexedIds()).filter((id) => !remainingIds.has(id))).toEqual([])
  })
})
