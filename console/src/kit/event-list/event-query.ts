import { hashKey, useQuery } from '@tanstack/react-query'
import type { EventQuery } from '@trunkline/contract/shapes/recent-call'
import { useRef, useState } from 'react'
import { toTimeQuery } from '../../lib/call-times'
import type { ListPage } from '../../lib/request-list'
import { keepPreviousPage, eventListKey } from '../../lib/query-keys'
import type { RowBatch } from '../list/all-pages'
import type { ListState } from '../list/paging'
import { countPages } from '../../ui/table/page-numbers'

export interface EventFetchOptions {
  signal: AbortSignal
  /** The user does not wait for the response: an unreachable server does not end the session, but a 401 does. */
  isBackground?: boolean
}

/** The source of a list of events, such as calls or alerts, of one account or one provider. */
export interface EventListSource<Row> {
  key: readonly unknown[]
  fetch: (query: EventQuery & Record<string, unknown>, options: EventFetchOptions) => Promise<ListPage<Row>>
}

/**
 * The polling interval of a visible list, in milliseconds. Only the first page polls, because new rows appear there.
 */
const pollIntervalMs = 10_000
/** The server's maximum page size. */
const maxPageSize = 500

export interface EventQueryResult<Row> {
  rows: readonly Row[]
  total: number | undefined
  loading: boolean
  refreshing: boolean
  error: Error | null
  updatedAt: number | undefined
  /** The last refresh failed. */
  isOutdated: boolean
  refresh: () => void
  isLive: boolean
  setIsLive: (live: boolean) => void
}

/**
 * Returns the rows of a page, plus the open row if newer rows have pushed it to the next page: the user may be reading
 * it or playing its recording. `pageHash` identifies the page; it is undefined while the rows belong to the previous
 * page.
 */
const useStickyOpenRow = <Row>(rows: readonly Row[], pageHash: string | undefined, isOpen: (row: Row) => boolean) => {
  const [lastOpen, setLastOpen] = useState<{ page: string; row: Row }>()
  if (pageHash === undefined) return rows
  const row = rows.find(isOpen)
  if (row && (lastOpen?.row !== row || lastOpen.page !== pageHash)) setLastOpen({ page: pageHash, row })
  return !row && lastOpen?.page === pageHash && isOpen(lastOpen.row) ? [...rows, lastOpen.row] : rows
}

/** A page of events. The first page polls unless the user pauses it. */
export const useEventQuery = <Row>(
  kind: string,
  source: EventListSource<Row>,
  listState: ListState,
  filters: Record<string, unknown>,
  isOpen: (row: Row) => boolean,
  enabled: boolean,
): EventQueryResult<Row> => {
  const [isLive, setIsLive] = useState(true)
  const { date = '' } = listState.filters
  const pagesKey = eventListKey(kind, source.key)
  /** The next request follows a click on Refresh. */
  const isRequestedByUser = useRef(false)
  const pageKey = [...pagesKey, { date, filters, page: listState.page, count: listState.pageSize }]
  const result = useQuery({
    queryKey: pageKey,
    queryFn: ({ signal, client, queryKey }) => {
      const isBackground = !isRequestedByUser.current && client.getQueryData(queryKey) !== undefined
      isRequestedByUser.current = false
      return source.fetch(
        { page: listState.page, count: listState.pageSize, ...toTimeQuery(date), ...filters },
        { signal, isBackground },
      )
    },
    placeholderData: keepPreviousPage(pagesKey),
    refetchInterval: isLive && listState.page === 1 ? pollIntervalMs : false,
    enabled,
  })
  const { data, isPending, isFetching, isPlaceholderData, error, dataUpdatedAt, refetch } = result
  const rows = useStickyOpenRow(data?.rows ?? [], isPlaceholderData ? undefined : hashKey(pageKey), isOpen)
  return {
    rows,
    total: data?.total,
    loading: isPending,
    refreshing: isFetching && !isPending,
    error: data === undefined ? error : null,
    updatedAt: dataUpdatedAt || undefined,
    isOutdated: data !== undefined && error !== null,
    refresh: () => {
      isRequestedByUser.current = true
      void refetch()
    },
    isLive,
    setIsLive,
  }
}

/** Yields all rows that match the filters, up to now. The fixed end keeps new rows from shifting the pages. */
export async function* fetchAllEventPages<Row>(
  source: EventListSource<Row>,
  date: string,
  filters: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<RowBatch<Row>> {
  const now = new Date()
  const { days, start, end = now.toISOString() } = toTimeQuery(date, now)
  const from = days === undefined ? start : new Date(now.getTime() - days * 86_400_000).toISOString()
  const times = { ...(from ? { start: from } : {}), end }
  for (let page = 1, rowCount = 0; ; page += 1) {
    const { rows, total } = await source.fetch({ page, count: maxPageSize, ...times, ...filters }, { signal })
    rowCount += rows.length
    yield { rows, total: total ?? rowCount }
    if (rows.length === 0 || (total !== undefined && page >= countPages(total, maxPageSize))) return
  }
}
