import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, callStores, newTenants, openCallStore, type CallStore } from '../../../test/call-stores'
import { TooManyRecordsError, type CallHistory, type Point } from '../../ports/call-history'
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
    expect(
      await history.countByNumber({ service_provider_sid: north }, ['442010', '+442010', '15550001', '4420', ''], from),
    ).toEqual([4, 4, 2, 0, 0])
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
    expect(await history.countByNumber({ service_provider_sid: north }, numbers, from)).toEqual([2, 1, 1, 0, 0, 0])
  })

  it('belong to the tenant and the period', async () => {
    const { north, south, acme, bolt } = await writeCalls([
      { from: 'x', to: '442010' },
      { from: 'x', to: '442010' },
      { from: 'x', to: '442010' },
      { from: 'x', to: '442010', ageMs: 7 * dayMs },
      { from: 'x', to: '442010', ageMs: 7 * dayMs + 1 },
    ])
    const count = (tenant: Parameters<CallHistory['countByNumber']>[0]) =>
      history.countByNumber(tenant, ['442010'], from)
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
})
