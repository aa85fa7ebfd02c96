import { hashKey, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import { useMemo } from 'react'
import { paginate, type ListState } from './paging'
import type { ListSource } from '../record/record'

/** Filters and sorts an array in the browser, when the server returned all of it. */
export interface ClientFilter<Row> {
  matches: (row: Row, look: ListState) => boolean
  order: (rows: Row[], look: ListState) => Row[]
}

export interface ListResult<Row> {
  rows: readonly Row[]
  /** The number of matching rows; undefined until known. */
  total: number | undefined
  /** The server returned the complete list, so the browser filters, sorts and paginates. Undefined until known. */
  whole: boolean | undefined
  /** Every matching row of a complete list, in order. */
  matching: readonly Row[] | undefined
  loading: boolean
  refreshing: boolean
  error: Error | null
  updatedAt: number | undefined
  refresh: () => void
}

const wholeMark = (kind: string, key: readonly unknown[]) => ['whole', kind, ...key]

/**
 * The rows for a list state. Requests one page from a server that paginates. Requests a complete list only once and
 * does the rest in the browser.
 */
export const useList = <Row>(
  kind: string,
  source: ListSource<Row>,
  look: ListState,
  query: ListQuery,
  locally: ClientFilter<Row>,
  enabled = true,
): ListResult<Row> => {
  const cache = useQueryClient()
  const mark = wholeMark(kind, source.key)
  const knownWhole = cache.getQueryData(mark) === true
  const asked: ListQuery = knownWhole ? {} : query
  const result = useQuery<Row[] | Page<Row>>({
    queryKey: [kind, 'list', ...source.key, asked],
    queryFn: async ({ signal }) => {
      const answer = await source.ask(asked, signal)
      if (Array.isArray(answer) && !knownWhole) {
        cache.setQueryDefaults(mark, { gcTime: Infinity, staleTime: Infinity })
        cache.setQueryData(mark, true)
        // a filtered first response is not the complete list, so it is requested again without the filter
        if (isPlain(query)) cache.setQueryData([kind, 'list', ...source.key, {}], answer)
      }
      return answer
    },
    // keep the previous page while the next one loads, but never another provider's rows
    placeholderData: (before, query) =>
      query && hashKey(query.queryKey.slice(0, -1)) === hashKey([kind, 'list', ...source.key]) ? before : undefined,
    enabled,
  })
  return { ...useShown(result.data, look, locally), ...weather(result) }
}

/** The visible rows: the server's page, or a page of the complete list. */
const useShown = <Row>(data: Row[] | Page<Row> | undefined, look: ListState, locally: ClientFilter<Row>) => {
  const rows = Array.isArray(data) ? data : undefined
  const matching = useMemo(() => {
    return (
      rows &&
      locally.order(
        rows.filter((row) => locally.matches(row, look)),
        look,
      )
    )
    // the list state is a new object on each render, so compare its content
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, locally, JSON.stringify(look)])
  if (matching) return { ...paginate(matching, look.page, look.pageSize), whole: true, matching }
  const page = data as Page<Row> | undefined
  return { rows: page?.data ?? [], total: page?.total, whole: page && false, matching: undefined }
}

/** The loading state of a query. */
const weather = ({ data, isPending, isFetching, error, dataUpdatedAt, refetch }: UseQueryResult<unknown>) => ({
  loading: isPending,
  refreshing: isFetching && !isPending,
  error: data === undefined ? error : null,
  updatedAt: dataUpdatedAt || undefined,
  refresh: () => void refetch(),
})

/** Does the query request only the first page, without filters? */
const isPlain = ({ page, page_size: _size, ...rest }: ListQuery) =>
  (page === undefined || page === 1) && Object.values(rest).every((value) => value === undefined || value === '')
