import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import { buildHourCountClauses, type IndexScan, type ScanClauses } from './index-scan'
import { firstIdOfHour, splitHours, type HourRange, type IdRange } from './time-ids'

/** Up to this many rows are skipped with OFFSET; beyond that, hour counts locate the page. */
const maxSkippedRows = 2000

/** The start of a page: the ids to scan, newest first, and the number of rows to skip. */
interface PageStart {
  idRange: IdRange
  skippedRows: number
}

/** Returns the number of rows after the last full hour. */
const countAfterHours = (edges: readonly IdRange[], counts: readonly number[], { endHour }: HourRange): number => {
  const index = edges.findIndex(({ low }) => low >= firstIdOfHour(endHour))
  return index < 0 ? 0 : (counts[index] ?? 0)
}

/** Creates a locator of pages in lists that are sorted newest first. */
export const createSqlPageLocator = ({ db }: Pick<Database, 'db'>, { countQuery }: ScanClauses) => {
  const selectNumbers = async (statement: RawBuilder<{ number: number | string | null }>) =>
    (await statement.execute(db)).rows.map(({ number }) => Number(number ?? 0))

  /** Adds up hour counts until they reach the offset. `precedingRows`: the rows after the last full hour. */
  const locateByHourCounts = async (
    scan: IndexScan,
    hours: HourRange,
    offset: number,
    precedingRows: number,
  ): Promise<PageStart> => {
    const { low, high } = scan.idRange
    const { rows } = await sql<{ hour: number; number: number | string }>`
      select hour, sum(number) as number ${buildHourCountClauses(scan, hours)} group by hour order by hour desc`.execute(
      db,
    )
    for (const { hour, number } of rows) {
      const rowsThroughHour = precedingRows + Number(number)
      if (rowsThroughHour > offset)
        return {
          idRange: { low, high: Math.min(high, firstIdOfHour(hour + 1) - 1) },
          skippedRows: offset - precedingRows,
        }
      precedingRows = rowsThroughHour
    }
    return { idRange: { low, high: firstIdOfHour(hours.firstHour) - 1 }, skippedRows: offset - precedingRows }
  }

  return {
    countRows: async (scan: IndexScan): Promise<number> =>
      (await selectNumbers(sql`select ${countQuery(scan)} as number`))[0] ?? 0,

    /** Returns the total and the start of the page. `computeOffset` returns the offset of the page in a list of `total` rows. */
    async locatePage(
      scan: IndexScan,
      computeOffset: (total: number) => number,
    ): Promise<PageStart & { total: number }> {
      const { edges, hours } = splitHours(scan.idRange)
      if (edges.length === 0 && !hours) return { total: 0, idRange: scan.idRange, skippedRows: 0 }
      const edgeQueries = edges.map((idRange) => countQuery({ ...scan, idRange }))
      const hourQueries = hours ? [sql`(select sum(number) ${buildHourCountClauses(scan, hours)})`] : []
      const queries = [...edgeQueries, ...hourQueries].map((query) => sql`select ${query} as number`)
      const counts = await selectNumbers(sql`${sql.join(queries, sql` union all `)}`)
      const total = counts.reduce((sum, number) => sum + number, 0)
      const offset = computeOffset(total)
      const precedingRows = hours ? countAfterHours(edges, counts, hours) : 0
      if (!hours || offset <= Math.max(maxSkippedRows, precedingRows) || offset >= total)
        return { total, idRange: scan.idRange, skippedRows: offset }
      return { total, ...(await locateByHourCounts(scan, hours, offset, precedingRows)) }
    },
  }
}
