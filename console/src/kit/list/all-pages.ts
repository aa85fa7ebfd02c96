import type { ListQuery } from '@trunkline/contract/kit/page'
import type { ListSource } from '../record/record'

/** Our server's maximum page size. */
const maxPageSize = 1000

/** A batch of rows, and the total. */
export interface RowBatch<Row> {
  rows: readonly Row[]
  total: number
}

/** Yields all rows of a query page by page, or at once from a server without pagination. */
export async function* fetchAllPages<Row>(
  source: ListSource<Row>,
  query: ListQuery,
  signal?: AbortSignal,
): AsyncGenerator<RowBatch<Row>> {
  for (let page = 1, seen = 0; ; page += 1) {
    const answer = await source.fetch({ ...query, page, page_size: maxPageSize }, signal)
    if (Array.isArray(answer)) {
      yield { rows: answer, total: answer.length }
      return
    }
    seen += answer.data.length
    yield { rows: answer.data, total: answer.total }
    if (answer.data.length === 0 || seen >= answer.total) return
  }
}

/** The same for a list that is already loaded. */
export async function* batchLoadedRows<Row>(rows: readonly Row[]): AsyncGenerator<RowBatch<Row>> {
  yield { rows, total: rows.length }
}
