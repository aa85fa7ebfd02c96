import type { ResponseOf, Route, RouteTypes } from '@trunkline/contract/kit/route'
import { requestUntyped, type RequestArguments, type UntypedRequestOptions } from './client'
import { toReadableRow } from './readable-row'

/** The rows of a list response, in one shape for every server and route. */
export interface ListPage<Row> {
  rows: Row[]
  /** The number of all matching rows. Undefined if the server does not report it. */
  total: number | undefined
  /** The server returned all rows as a bare array, without pagination and possibly without applying the filters. */
  isComplete: boolean
}

/** The row type of a list response. */
type RowOf<Response> = Response extends readonly (infer Row)[]
  ? Row
  : Response extends { data: readonly (infer Row)[] }
    ? Row
    : never

/** A complete list as a page. */
export const toCompleteList = <Row>(rows: Row[]): ListPage<Row> => ({ rows, total: rows.length, isComplete: true })

/** Filters a complete list. A server that paginates has already filtered. */
export const filterCompleteList = <Row>(page: ListPage<Row>, matches: (row: Row) => boolean): ListPage<Row> =>
  page.isComplete ? toCompleteList(page.rows.filter(matches)) : page

/** Requests a list from any route. Like `requestList`, for callers that cannot use the route's types. */
export const requestListUntyped = async <Row>(
  route: Route,
  options?: UntypedRequestOptions,
): Promise<ListPage<Row>> => {
  const response = (await requestUntyped(route, options)) as Row[] | { data: Row[]; total?: number }
  return Array.isArray(response)
    ? toCompleteList(response.map(toReadableRow))
    : { rows: response.data.map(toReadableRow), total: response.total, isComplete: false }
}

/** Requests a list. Some servers return a page of it, others a bare array. */
export const requestList = <Path extends string, Types extends RouteTypes>(
  route: Route<Path, Types>,
  ...[options]: RequestArguments<Route<Path, Types>>
): Promise<ListPage<RowOf<ResponseOf<Route<Path, Types>>>>> => requestListUntyped(route, options)
