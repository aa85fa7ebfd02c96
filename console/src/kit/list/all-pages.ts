import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Source } from '../record/record'

/** Our server's maximum page size. */
const most = 1000

/** A batch of rows, and the total. */
export interface Portion<Row> {
  rows: readonly Row[]
  total: number
}

/** Yields all rows of a query page by page, or at once from a server without pagination. */
export async function* everyPage<Row>(
  source: Source<Row>,
  query: ListQuery,
  signal?: AbortSignal,
): AsyncGenerator<Portion<Row>> {
  for (let page = 1, seen = 0; ; page += 1) {
    const answer = await source.ask({ ...query, page, page_size: most }, signal)
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
export async function* wholeList<Row>(rows: readonly Row[]): AsyncGenerator<Portion<Row>> {
  yield { rows, total: rows.length }
}
