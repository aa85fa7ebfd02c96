import type { ListQuery } from '@trunkline/contract/kit/page'
import type { Source } from './record'

/** As many as our server gives at once. */
const most = 1000

/** Rows as they come, and how many there are in all. */
export interface Portion<Row> {
  rows: readonly Row[]
  total: number
}

/** All that a query asks for, page by page; at once from a server that knows no pages. */
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

/** The same for a list that is here already. */
export async function* wholeList<Row>(rows: readonly Row[]): AsyncGenerator<Portion<Row>> {
  yield { rows, total: rows.length }
}
