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
import {
  TooManyRecordsError,
  type CallHistory,
  type CallListOptions,
  type Point,
  type Tenant,
} from '../../ports/call-history'
import { createSqlCallHistory } from './sql/store'

const dayMs = 86_400_000

describe.each(callStores)('the calls of phone numbers (%s)', (kind) => {
  const now = Date.now()
  const from = now - 7 * dayMs
  let history: CallHistory
  let database: CallStore['database']
  beforeAll(async () => {
    ;({ history, database } = await openCallStore(kind, () => now))
  })
  afterAll(() => database?.close())

  /** Writes one call per entry, each a minute older than the one before, and returns their tenants. */
  const writeCalls = async (calls: (Point['fields'] & { direction?: string; ageMs?: number })[]) => {
    const sids = newTenants()
    await history.writePoints(
      'cdrs',
      calls.map(({ direction = 'inbound', ageMs, ...fields }, index) =>
        callPoint(
          { service_provider_sid: sids.north, account_sid: index % 2 ? sids.bolt : sids.acme },
          { timeMs: now - (ageMs ?? index * 60_000), tags: { direction }, fields },
        ),
      ),
    )
    return sids
  }

  /** Counts the calls of numbers, after checking that the filter by number lists and sums as many. */
  const countCalls = async (tenant: Tenant, numbers: readonly string[]) => {
    const counts = await history.countByNumber(tenant, numbers, from)
    const pages = await Promise.all(
      numbers.map((number) => history.listCalls(tenant, { page: 1, count: 500, from, number })),
    )
    expect(pages.map(({ total, rows }) => [total, rows.length])).toEqual(counts.map((count) => [count, count]))
    const sums = await Promise.all(numbers.map((number) => history.sumCalls(tenant, { from, number })))
    expect(sums.map((parts) => parts.reduce((sum, { callCount }) => sum + callCount, 0))).toEqual(counts)
    return counts
  }

  /** Lists the numbers of calls that a filter matches. */
  const listNumbers = async (tenant: Tenant, options: Partial<CallListOptions>, store = history) => {
    const { total, rows } = await store.listCalls(tenant, { page: 1, count: 500, ...options })
    return { total, numbers: rows.map(({ from, to }) => `${from} ${to}`) }
  }

  it('are the inbound calls to a number and the outbound calls from it, with or without a plus', async () => {
    const { north } = await writeCalls([
      { from: '15550001', to: '442010' },
      { from: '15550001', to: '+442010', termination_reason: 'caller hung up' },
      { direction: 'outbound', from: '+442010', to: '15550001' },
      { direction: 'outbound', from: '442010', to: '15550001', termination_reason: 'no answer' },
      { direction: 'outbound', from: '15550001', to: '442010' },
      { from: '442010', to: '15550001' },
      // longer numbers, and text around the number
      { from: '15550001', to: '4420100' },
      { from: '15550001', to: '1442010' },
      { from: '15550001', to: '++442010' },
      { from: '15550001', to: 'x442010', termination_reason: '442010' },
      { direction: '', from: '442010', to: '442010' },
    ])
    expect(await countCalls({ service_provider_sid: north }, ['442010', '+442010', '15550001', '4420', ''])).toEqual([
      4, 4, 2, 0, 0,
    ])
  })

  it('are listed page by page, and with further filters', async () => {
    const { north } = await writeCalls([
      { from: '1', to: '442010' },
      { from: '442010', to: '2' },
      { direction: 'outbound', from: '+442010', to: '3' },
      { from: '4420100', to: '4' },
      { from: '5', to: '442010', termination_reason: 'no answer' },
    ])
    const list = (options: Partial<CallListOptions>) =>
      listNumbers({ service_provider_sid: north }, { number: '442010', ...options })
    const listed = ['1 442010', '+442010 3', '5 442010']
    expect(await list({})).toEqual({ total: 3, numbers: listed })
    expect(await list({ oldestFirst: true })).toEqual({ total: 3, numbers: listed.toReversed() })
    expect(await list({ page: 2, count: 2 })).toEqual({ total: 3, numbers: ['5 442010'] })
    expect(await list({ page: 2, count: 2, oldestFirst: true })).toEqual({ total: 3, numbers: ['1 442010'] })
    expect(await list({ direction: 'outbound' })).toEqual({ total: 1, numbers: ['+442010 3'] })
    expect(await list({ text: 'NO answer' })).toEqual({ total: 1, numbers: ['5 442010'] })
    expect(await list({ text: '2' })).toEqual({ total: 3, numbers: listed })
    expect(await list({ trunk: 'twilio', answered: true })).toEqual({ total: 3, numbers: listed })
    expect(await list({ trunk: 'other' })).toEqual({ total: 0, numbers: [] })
    const groups = await history.groupCalls({ service_provider_sid: north }, { number: '442010' }, 'trunk')
    expect(groups).toEqual([{ value: 'twilio', callCount: 3, answeredCount: 3 }])
  })

  it('may have any characters, and ignore case', async () => {
    const { north } = await writeCalls([
      { from: 'x', to: 'Support.Line/1' },
      { from: 'x', to: '+support.line/1' },
      { from: 'x', to: 'supportxline/1' },
      { from: 'x', to: 'büro' },
      { from: 'x', to: 'a|b' },
    ])
    const numbers = ['SUPPORT.line/1', 'Büro', 'a|b', 'a', '(', "x' or '1'='1"]
    expect(await countCalls({ service_provider_sid: north }, numbers)).toEqual([2, 1, 1, 0, 0, 0])
  })

  it('belong to the tenant and the period', async () => {
    const { north, south, acme, bolt } = await writeCalls([
      { from: 'x', to: '442010' },
      { from: 'x', to: '442010' },
      { from: 'x', to: '442010' },
      { from: 'x', to: '442010', ageMs: 7 * dayMs },
      { from: 'x', to: '442010', ageMs: 7 * dayMs + 1 },
    ])
    const count = (tenant: Tenant) => countCalls(tenant, ['442010'])
    expect(await count({ service_provider_sid: north })).toEqual([4])
    expect(await count({ account_sid: acme })).toEqual([2])
    expect(await count({ account_sid: bolt })).toEqual([2])
    expect(await count({ service_provider_sid: south })).toEqual([0])
    expect(await count({ account_sid: north })).toEqual([0])
  })

  it('are refused, and not 0, until a database has indexed the calls of an older version', async () => {
    if (!database) return
    const { north } = await writeCalls([{ from: 'x', to: '442010' }])
    // the progress of the index
    await database.db.deleteFrom('trunkline_progress').execute()
    const unindexedHistory = createSqlCallHistory({ database }, { calls: 0, alerts: 0 }, () => now)
    await expect(unindexedHistory.countByNumber({ service_provider_sid: north }, ['442010'], from)).rejects.toThrow(
      TooManyRecordsError,
    )
  })

  it.runIf(isDatabaseEngine(kind))('are listed before and after a database has indexed them', async () => {
    const { north } = await writeCalls([
      { from: '442010', to: 'büro' },
      { from: '1', to: '+BÜRO' },
      { direction: 'outbound', from: 'büro', to: '2' },
      { direction: 'outbound', from: '3', to: 'büro' },
      { from: 'büro', to: 'büro2' },
      { direction: '', from: 'büro', to: 'büro' },
    ])
    await sql`delete from trunkline_packed_calls`.execute(database!.db)
    await sql`delete from trunkline_progress`.execute(database!.db)
    const unindexedHistory = createSqlCallHistory({ database: database! }, { calls: 0, alerts: 0 }, () => now)
    const list = () => listNumbers({ service_provider_sid: north }, { number: 'Büro' }, unindexedHistory)
    const listed = { total: 3, numbers: ['442010 büro', '1 +BÜRO', 'büro 2'] }
    expect(await list()).toEqual(listed)
    await unindexedHistory.backfill(new AbortController().signal)
    expect(await list()).toEqual(listed)
  })
})
