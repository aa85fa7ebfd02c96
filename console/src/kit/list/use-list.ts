import { hashKey, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import { useMemo } from 'react'
import { paginate, type ListState } from './paging'
import type { ListSource } from '../record/record'

/** Filters and sorts an array in the browser, when the server returned all of it. */
export interface ClientFilter<Row> {
  matches: (row: Row, listState: ListState) => boolean
  order: (rows: Row[], listState: ListState) => Row[]
}

export interface ListResult<Row> {
  rows: readonly Row[]
  /** The number of matching rows; undefined until known. */
  total: number | undefined
  /** The server returned the complete list, so the browser filters, sorts and paginates. Undefined until known. */
  isComplete: boolean | undefined
  /** Every matching row of a complete list, in order. */
  matching: readonly Row[] | undefined
  loading: boolean
  refreshing: boolean
  error: Error | null
  updatedAt: number | undefined
  refresh: () => void
}

const completeListKey = (kind: string, key: readonly unknown[]) => ['whole', kind, ...key]

/**
 * The rows for a list state. Requests one page from a server that paginates. Requests a complete list only once and
 * does the rest in the browser.
 */
export const useList = <Row>(
  kind: string,
  source: ListSource<Row>,
  listState: ListState,
  query: ListQuery,
  clientFilter: ClientFilter<Row>,
  enabled = true,
): ListResult<Row> => {
  const cache = useQueryClient()
  const completeKey = completeListKey(kind, source.key)
  const isKnownComplete = cache.getQueryData(completeKey) === true
  const sentQuery: ListQuery = isKnownComplete ? {} : query
  const result = useQuery<Row[] | Page<Row>>({
    queryKey: [kind, 'list', ...source.key, sentQuery],
    queryFn: async ({ signal }) => {
      const answer = await source.fetch(sentQuery, signal)
      if (Array.isArray(answer) && !isKnownComplete) {
        cache.setQueryDefaults(completeKey, { gcTime: Infinity, staleTime: Infinity })
        cache.setQueryData(completeKey, true)
        // a filtered first response is not the complete list, so it is requested again without the filter
        if (isUnfilteredFirstPage(query)) cache.setQueryData([kind, 'list', ...source.key, {}], answer)
      }
      return answer
    },
    // keep the previous page while the next one loads, but never another provider's rows
    placeholderData: (before, query) =>
      query && hashKey(query.queryKey.slice(0, -1)) === hashKey([kind, 'list', ...source.key]) ? before : undefined,
    enabled,
  })
  return { ...usePageRows(result.data, listState, clientFilter), ...getQueryStatus(result) }
}

/** The visible rows: the server's page, or a page of the complete list. */
const usePageRows = <Row>(
  data: Row[] | Page<Row> | undefined,
  listState: ListState,
  clientFilter: ClientFilter<Row>,
) => {
  const rows = Array.isArray(data) ? data : undefined
  const matching = useMemo(() => {
    return (
      rows &&
      clientFilter.order(
        rows.filter((row) => clientFilter.matches(row, listState)),
        listState,
      )
    )
    // the list state is a new object on each render, so compare its content
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, clientFilter, JSON.stringify(listState)])
  if (matching) return { ...paginate(matching, listState.page, listState.pageSize), isComplete: true, matching }
  const page = data as Page<Row> | undefined
  return { rows: page?.data ?? [], total: page?.total, isComplete: page && false, matching: undefined }
}

/** The loading state of a query. */
const getQueryStatus = ({ data, isPending, isFetching, error, dataUpdatedAt, refetch }: UseQueryResult<unknown>) => ({
  loading: isPending,
  refreshing: isFetching && !isPending,
  error: data === undefined ? error : null,
  updatedAt: dataUpdatedAt || undefined,
  refresh: () => void refetch(),
})

/** Does the query request only the first page, without filters? */
const isUnfilteredFirstPage = ({ page, page_size: _size, ...rest }: ListQuery) =>
  (page === undefined || page === 1) && Object.values(rest).every((value) => value === undefined || value === '')
