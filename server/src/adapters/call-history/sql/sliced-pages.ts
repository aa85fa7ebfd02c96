import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import type { EventListOptions, ResultPage } from '../../../ports/call-history'
import { createAdaptiveBatchSize, createTurnQueue } from '../../sql/time-slices'
import type { IndexScan, ScanClauses } from './index-scan'
import type { PageReader } from './page-reader'
import type { StoredRow } from './stored-rows'

/** Rows per statement. */
const sliceLimits = { targetMs: 10, initialRows: 2000, minRows: 500, maxRows: 50_000 }

/**
 * Creates a reader of pages, newest first, with a condition that no index can answer. It reads the rows of the scan in
 * slices, counts those that match, and lists the ids of the page where its slice is read. It is for SQLite, which runs each
 * statement in this thread and blocks all other requests meanwhile.
 */
export const createSlicedPageReader = (
  { db }: Pick<Database, 'db'>,
  { tableWithIndex, whereCondition }: ScanClauses,
  pageReader: Pick<PageReader, 'readByIds'>,
) => {
  const waitForTurn = createTurnQueue()

  const countSlice = async (scan: IndexScan, condition: RawBuilder<unknown>, limit: number) => {
    const { rows } = await sql<{ rowCount: number | string; matchCount: number | string | null; low: number | null }>`
      select count(*) as rowCount, sum(isMatch) as matchCount, min(id) as low from (
        select id, case when ${condition} then 1 else 0 end as isMatch from ${tableWithIndex(scan)}
        where ${whereCondition(scan)} order by id desc limit ${limit}) as newest`.execute(db)
    const { rowCount, matchCount, low } = rows[0]!
    return { rowCount: Number(rowCount), matchCount: Number(matchCount), low: low ?? scan.idRange.low }
  }

  const listIds = async (scan: IndexScan, limit: number, offset: number) => {
    const { rows } = await sql<{ id: number }>`select id from ${tableWithIndex(scan)}
      where ${whereCondition(scan)} order by id desc limit ${limit} offset ${offset}`.execute(db)
    return rows.map(({ id }) => id)
  }

  return async (
    scan: IndexScan,
    condition: RawBuilder<unknown>,
    { page, count }: EventListOptions,
  ): Promise<ResultPage<StoredRow>> => {
    const batchSize = createAdaptiveBatchSize(sliceLimits)
    const start = (page - 1) * count
    const ids: number[] = []
    let total = 0
    for (let { high } = scan.idRange; high >= scan.idRange.low;) {
      await waitForTurn()
      const startedAt = performance.now()
      const limit = batchSize.current()
      const rest = { ...scan, idRange: { ...scan.idRange, high } }
      const { rowCount, matchCount, low } = await countSlice(rest, condition, limit)
      if (total < start + count && total + matchCount > start) {
        const slice = { ...scan, idRange: { low, high }, conditions: [...scan.conditions, condition] }
        ids.push(...(await listIds(slice, count - ids.length, Math.max(0, start - total))))
      }
      total += matchCount
      if (rowCount < limit) break
      high = low - 1
      batchSize.adjust(performance.now() - startedAt)
    }
    return { total, rows: await pageReader.readByIds(scan, ids) }
  }
}
