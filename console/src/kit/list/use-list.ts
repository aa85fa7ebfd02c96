import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { ListQuery } from '@trunkline/contract/kit/page'
import { useMemo } from 'react'
import type { ListPage } from '../../lib/request-list'
import { keepPreviousPage, listKey } from '../../lib/query-keys'
import { createPageQuery } from './page-query'
import { paginate, type ListState } from './paging'
import type { ListSource } from '../record/record'

/** Filters and sorts in the browser, for a list that the server returns completely. */
export interface ClientListOperations<Row> {
  matches: (row: Row, listState: ListState) => boolean
  sort: (rows: Row[], listState: ListState) => Row[]
}

export interface ListResult<Row> {
  rows: readonly Row[]
  /** The number of matching rows; undefined until known. */
  total: number | undefined
  /** The server returned the complete list, so the browser filters, sorts and paginates. Undefined until known. */
  isComplete: boolean | undefined
  /** All matching rows of a complete list, in order, not only this page. */
  matchingRows: readonly Row[] | undefined
  loading: boolean
  refreshing: boolean
  error: Error | null
  updatedAt: number | undefined
  /** The rows belong to another page or filter, and remain until the response arrives. */
  isPlaceholder: boolean
  refresh: () => void
}

/**
 * The rows for a list state. Requests one page from a server that paginates. Requests a complete list only once and
 * does the rest in the browser.
 */
export const useList = <Row>(
  kind: string,
  source: ListSource<Row>,
  listState: ListState,
  query: ListQuery,
  clientOperations: ClientListOperations<Row>,
  enabled = true,
): ListResult<Row> => {
  const cache = useQueryClient()
  const result = useQuery<ListPage<Row>>({
    ...createPageQuery(cache, kind, source, query),
    // keep the previous page while the next one loads, but never another provider's rows
    placeholderData: keepPreviousPage(listKey(kind, source.key)),
    enabled,
  })
  return { ...usePageRows(result.data, listState, clientOperations), ...getQueryStatus(result) }
}

/** The visible rows: the server's page, or a page of the complete list. */
const usePageRows = <Row>(
  page: ListPage<Row> | undefined,
  listState: ListState,
  clientOperations: ClientListOperations<Row>,
) => {
  const rows = page?.isComplete ? page.rows : undefined
  const matchingRows = useMemo(() => {
    return (
      rows &&
      clientOperations.sort(
        rows.filter((row) => clientOperations.matches(row, listState)),
        listState,
      )
    )
    // the list state is a new object on each render, so compare its content
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, clientOperations, JSON.stringify(listState)])
  if (matchingRows)
    return { ...paginate(matchingRows, listState.page, listState.pageSize), isComplete: true, matchingRows }
  // `isComplete` is undefined until the first response
  return { rows: page?.rows ?? [], total: page?.total, isComplete: page && false, matchingRows: undefined }
}

/** The loading state of a query. */
const getQueryStatus = ({
  data,
  isPending,
  isFetching,
  isPlaceholderData,
  error,
  dataUpdatedAt,
  refetch,
}: UseQueryResult<unknown>) => ({
  loading: isPending,
  refreshing: isFetching && !isPending,
  error: data === undefined ? error : null,
  updatedAt: dataUpdatedAt || undefined,
  isPlaceholder: isPlaceholderData,
  refresh: () => void refetch(),
})
