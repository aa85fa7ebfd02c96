import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import type { ResultPage, EventListOptions } from '../../../ports/call-history'
import type { IndexScan, ScanClauses } from './index-scan'
import { createSqlPageLocator } from './page-location'
import { ownerFilter, toStoredRows, type StoredRow } from './stored-rows'

/** Computes the offset and length of a page within a list that is sorted newest first. */
export const computePageSlice = ({ page, count, oldestFirst }: EventListOptions, total: number) => {
  const start = (page - 1) * count
  const length = Math.max(0, Math.min(count, total - start))
  return { offset: oldestFirst ? Math.max(0, total - start - length) : start, length }
}

/** Creates a reader of pages of calls and alerts, newest first. */
export const createSqlPageReader = (database: Pick<Database, 'db'>, clauses: ScanClauses) => {
  const { db } = database
  const locator = createSqlPageLocator(database, clauses)

  const readRows = async ({ table, tenant }: IndexScan, idQuery: RawBuilder<unknown>): Promise<StoredRow[]> => {
    const { rows } = await sql<{ id: number; point: string }>`select t.id, t.point from (${idQuery}) p
      join ${sql.table(table)} t on t.id = p.page_id
      where ${ownerFilter(tenant).ownerCondition} order by t.id desc`.execute(db)
    return toStoredRows(rows)
  }

  const selectIds = (
    scan: IndexScan,
    limit: number,
    offset: number,
    order: 'ascending' | 'descending' = 'descending',
  ) =>
    sql`select id as page_id from ${clauses.tableWithIndex(scan)} where ${clauses.whereCondition(scan)}
      order by id ${order === 'ascending' ? sql`` : sql`desc`} limit ${limit} offset ${offset}`

  /** Reads a page with an offset from the nearer end of the list. */
  const readFromNearestEnd = async (scan: IndexScan, total: number, options: EventListOptions) => {
    const { offset, length } = computePageSlice(options, total)
    if (length === 0) return []
    const offsetFromEnd = total - offset - length
    return readRows(
      scan,
      offsetFromEnd < offset ? selectIds(scan, length, offsetFromEnd, 'ascending') : selectIds(scan, length, offset),
    )
  }

  return {
    /**
     * Reads a page whose start and total are computed from `trunkline_hour_counts`, without counting rows. The conditions of the
     * scan must be those that its `kinds` and `sip_status` express.
     */
    async readPageByHourCounts(scan: IndexScan, options: EventListOptions): Promise<ResultPage<StoredRow>> {
      const { total, idRange, skippedRows } = await locator.locatePage(
        scan,
        (total) => computePageSlice(options, total).offset,
      )
      const { length } = computePageSlice(options, total)
      return {
        total,
        rows: length > 0 ? await readRows(scan, selectIds({ ...scan, idRange }, length, skippedRows)) : [],
      }
    },

    /** Reads a page after counting all matching rows. */
    async readPageByCounting(scan: IndexScan, options: EventListOptions): Promise<ResultPage<StoredRow>> {
      const total = await locator.countRows(scan)
      return { total, rows: await readFromNearestEnd(scan, total, options) }
    },

    countRows: locator.countRows,

    /** Reads the rows with these ids. */
    readByIds: async (scan: IndexScan, ids: readonly number[]): Promise<StoredRow[]> =>
      ids.length > 0
        ? readRows(scan, sql`select id as page_id from ${sql.table(scan.table)} where id in (${sql.join(ids)})`)
        : [],
  }
}

export type PageReader = ReturnType<typeof createSqlPageReader>
