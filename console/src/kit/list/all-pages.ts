import type { ListQuery } from '@trunkline/contract/kit/page'
import type { ListSource } from '../record/record'
import type { FetchExportValues } from './list-column'

/** Our server's maximum page size. */
const maxPageSize = 1000

/** A batch of rows, and the total. */
export interface RowBatch<Row> {
  rows: readonly Row[]
  total: number
}

/** Yields all rows of a query page by page, or all together from a server without pagination. */
export async function* fetchAllPages<Row>(
  source: ListSource<Row>,
  query: ListQuery,
  signal?: AbortSignal,
): AsyncGenerator<RowBatch<Row>> {
  for (let page = 1, rowCount = 0; ; page += 1) {
    const { rows, total, isComplete } = await source.fetch({ ...query, page, page_size: maxPageSize }, signal)
    rowCount += rows.length
    yield { rows, total: total ?? rowCount }
    if (isComplete || rows.length === 0 || (total !== undefined && rowCount >= total)) return
  }
}

/** Yields the rows of a list that is already loaded, as one batch. */
export async function* batchLoadedRows<Row>(rows: readonly Row[]): AsyncGenerator<RowBatch<Row>> {
  yield { rows, total: rows.length }
}

/** Adds the values of columns to all rows. Each function is called once for a batch. */
export async function* addExportValues<Row extends object>(
  batches: AsyncIterable<RowBatch<Row>>,
  fetchers: readonly FetchExportValues<Row>[],
  signal: AbortSignal,
): AsyncGenerator<RowBatch<Row>> {
  for await (const { rows, total } of batches) {
    const values = await Promise.all([...new Set(fetchers)].map((fetchValues) => fetchValues(rows, signal)))
    yield { rows: rows.map((row, index) => Object.assign({}, row, ...values.map((list) => list[index])) as Row), total }
  }
}

/** Reads all rows of a list. */
export const rowReader = { fetchAllPages, batchLoadedRows }

/**
 * Returns all rows of a list. The caller passes the reader, because its code is loaded with what needs all rows: an export or
 * the selection of all rows.
 */
export type FetchAllRows<Row> = (signal: AbortSignal, reader: typeof rowReader) => AsyncIterable<RowBatch<Row>>
