import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callPoint, openCallStore, tenants } from '../../../test/call-stores'
import { engines, type EmptyDatabase } from '../../../test/engines'
import { sqlCallHistory } from '../call-history/sql/store'
import { sqlTraces } from '../traces/sql'

const day = 86_400_000
const page = { page: 1, count: 1 }

describe.each(engines)('pruning during other work (%s)', (engine) => {
  const now = Date.now()
  let database: EmptyDatabase
  let history: ReturnType<typeof sqlCallHistory>
  beforeAll(async () => {
    const handle = await openCallStore(engine, () => now)
    database = handle.database!
    history = sqlCallHistory({ database }, { calls: 10, alerts: 10 }, () => now)
  })
  afterAll(() => database.close())

  /** Counts the turns of the event loop during the work. */
  const turnsDuring = async (work: Promise<unknown>): Promise<number> => {
    let turns = 0
    let running = true
    const count = () => {
      turns += 1
      if (running) setImmediate(count)
    }
    setImmediate(count)
    await work
    running = false
    return turns
  }

  /** Writes calls from 30 days ago, one per minute, all of one account. */
  const writeOldCalls = async (number: number) => {
    const { north, acme } = tenants()
    const points = Array.from({ length: number }, (_, index) =>
      callPoint(
        { service_provider_sid: north, account_sid: acme },
        { timeMs: now - 30 * day + index * 60_000, fields: { from: `old${index}` } },
      ),
    )
    await history.write('cdrs', points)
  }
  const left = async (table: 'trunkline_calls' | 'trunkline_packed_calls' | 'trunkline_hour_counts') => {
    const rows = await database.db
      .selectFrom(table)
      .select((item) => item.fn.countAll<number>().as('number'))
      .execute()
    return Number(rows[0]?.number)
  }

  it('handles other events between small deletions of calls, and deletes all of them', async () => {
    await writeOldCalls(2000)
    expect(await left('trunkline_calls')).toBe(2000)
    expect(await turnsDuring(history.prune())).toBeGreaterThanOrEqual(5)
    expect(await Promise.all([left('trunkline_calls'), left('trunkline_packed_calls')])).toEqual([0, 0])
    expect(await left('trunkline_hour_counts')).toBe(0)
  }, 120_000)

  it('serves a request before pruning has finished', async () => {
    await writeOldCalls(1000)
    const finished: string[] = []
    const prune = history.prune().then(() => finished.push('pruning'))
    await new Promise((turn) => setImmediate(turn))
    const read = history.calls({ account_sid: tenants().acme }, page).then(() => finished.push('list of calls'))
    await Promise.all([prune, read])
    expect(finished).toEqual(['list of calls', 'pruning'])
  }, 120_000)

  it('stops between two deletions, and the next round finishes', async () => {
    await writeOldCalls(1000)
    const stopping = new AbortController()
    const pruning = history.prune(stopping.signal)
    stopping.abort()
    await pruning
    expect(await left('trunkline_calls')).toBe(1000)
    await history.prune()
    expect(await left('trunkline_calls')).toBe(0)
  }, 120_000)

  it('handles other events between small deletions of traces', async () => {
    const writer = { service_provider_sid: null, account_sid: null }
    const old = sqlTraces(database, 0, () => now - 30 * day)
    await old.add(Array.from({ length: 1000 }, (_, index) => ({ trace_id: `${index}`, writer, spans: [] })))
    expect(await turnsDuring(sqlTraces(database, 10, () => now).prune())).toBeGreaterThanOrEqual(3)
    const rows = await database.db.selectFrom('trunkline_trace_parts').select('part_sid').execute()
    expect(rows).toEqual([])
  })
})
