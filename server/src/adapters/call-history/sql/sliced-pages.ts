import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import type { EventListOptions, ResultPage } from '../../../ports/call-history'
import type { IndexScan, ScanClauses } from './index-scan'
import type { PageReader } from './page-reader'
import type { ScanSlicer } from './scan-slices'
import type { StoredRow } from './stored-rows'

/**
 * Creates a reader of pages, newest first, with conditions that no index can answer. It reads the rows of the scan in
 * slices, counts those that match, and lists the ids of the page where its slice is read. It is for SQLite, which runs each
 * statement in this thread and blocks all other requests meanwhile.
 */
export const createSlicedPageReader = (
  { db }: Pick<Database, 'db'>,
  { tableWithIndex, whereCondition }: ScanClauses,
  sliceScan: ScanSlicer,
  { countRows, readByIds }: Pick<PageReader, 'countRows' | 'readByIds'>,
) => {
  const listIds = async (slice: IndexScan, limit: number, offset: number) => {
    const { rows } = await sql<{ id: number }>`select id from ${tableWithIndex(slice)}
      where ${whereCondition(slice)} order by id desc limit ${limit} offset ${offset}`.execute(db)
    return rows.map(({ id }) => id)
  }

  return async (
    scan: IndexScan,
    conditions: RawBuilder<unknown>[],
    { page, count }: EventListOptions,
  ): Promise<ResultPage<StoredRow>> => {
    const start = (page - 1) * count
    const ids: number[] = []
    let total = 0
    for await (const idRange of sliceScan(scan)) {
      const slice = { ...scan, idRange, conditions: [...scan.conditions, ...conditions] }
      const matchCount = await countRows(slice)
      if (total < start + count && total + matchCount > start)
        ids.push(...(await listIds(slice, count - ids.length, Math.max(0, start - total))))
      total += matchCount
    }
    return { total, rows: await readByIds(scan, ids) }
  }
}
