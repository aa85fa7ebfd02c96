import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, newTenants } from '../../../test/call-stores'
import { databaseEngines, type EmptyDatabase } from '../../../test/databases'
import { countTurnsDuring } from '../../../test/event-loop-turns'
import { createSqlCallHistory } from '../call-history/sql/store'
import { createSqlTraceStore } from '../traces/sql'

const dayMs = 86_400_000
const page = { page: 1, count: 1 }

describe.each(databaseEngines)('pruning during other work (%s)', (databaseEngine) => {
  const now = Date.now()
  let database: EmptyDatabase
  let history: ReturnType<typeof createSqlCallHistory>
  beforeAll(async () => {
    const store = await openCallStore(databaseEngine, () => now)
    database = store.database!
    history = createSqlCallHistory({ database }, { calls: 10, alerts: 10 }, () => now)
  })
  afterAll(() => database.close())

  /** Writes calls from 30 days ago, one per minute, all of one account. Returns the account. */
  const writeOldCalls = async (callCount: number) => {
    const { north, acme } = newTenants()
    const points = Array.from({ length: callCount }, (_, index) =>
      callPoint(
        { service_provider_sid: north, account_sid: acme },
        { timeMs: now - 30 * dayMs + index * 60_000, fields: { from: `old${index}` } },
      ),
    )
    await history.writePoints('cdrs', points)
    return { account_sid: acme }
  }
  const countRows = async (table: 'trunkline_calls' | 'trunkline_packed_calls' | 'trunkline_hour_counts') => {
    const rows = await database.db
      .selectFrom(table)
      .select((expression) => expression.fn.countAll<number>().as('number'))
      .execute()
    return Number(rows[0]?.number)
  }

  it('handles other events between small deletions of calls, and deletes all of them', async () => {
    await writeOldCalls(2000)
    expect(await countRows('trunkline_calls')).toBe(2000)
    expect(await countTurnsDuring(history.prune())).toBeGreaterThanOrEqual(5)
    expect(await Promise.all([countRows('trunkline_calls'), countRows('trunkline_packed_calls')])).toEqual([0, 0])
    expect(await countRows('trunkline_hour_counts')).toBe(0)
  }, 120_000)

  it('serves a request before pruning has finished', async () => {
    const account = await writeOldCalls(1000)
    const finishedWork: string[] = []
    const pruning = history.prune().then(() => finishedWork.push('pruning'))
    await new Promise((resolve) => setImmediate(resolve))
    const request = history.listCalls(account, page).then(() => finishedWork.push('list of calls'))
    await Promise.all([pruning, request])
    expect(finishedWork).toEqual(['list of calls', 'pruning'])
  }, 120_000)

  it('stops between two deletions, and the next round finishes', async () => {
    await writeOldCalls(1000)
    const abortController = new AbortController()
    const pruning = history.prune(abortController.signal)
    abortController.abort()
    await pruning
    expect(await countRows('trunkline_calls')).toBe(1000)
    await history.prune()
    expect(await countRows('trunkline_calls')).toBe(0)
  }, 120_000)

  it('handles other events between small deletions of traces', async () => {
    const writer = { service_provider_sid: null, account_sid: null }
    const oldStore = createSqlTraceStore(database, 0, () => now - 30 * dayMs)
    await oldStore.addParts(Array.from({ length: 1000 }, (_, index) => ({ trace_id: `${index}`, writer, spans: [] })))
    expect(await countTurnsDuring(createSqlTraceStore(database, 10, () => now).prune())).toBeGreaterThanOrEqual(3)
    const rows = await database.db.selectFrom('trunkline_trace_parts').select('part_sid').execute()
    expect(rows).toEqual([])
  })
})
