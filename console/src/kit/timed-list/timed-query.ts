import { hashKey, useQuery } from '@tanstack/react-query'
import type { TimedPage, TimedQuery } from '@trunkline/contract/shapes/recent-call'
import { useRef, useState } from 'react'
import { toTimeQuery } from '../../lib/call-times'
import { localValues } from '../../lib/storage'
import type { RowBatch } from '../list/all-pages'
import type { ListState } from '../list/paging'
import { countPages } from '../../ui/table/page-numbers'

/** The source of a list over time: below an account or below a provider. */
export interface TimedSource<Row> {
  key: readonly unknown[]
  /** `isPolling`: nobody waits for the response, so a failed request does not end the session. */
  fetch: (
    query: TimedQuery & Record<string, unknown>,
    signal: AbortSignal,
    isPolling?: boolean,
  ) => Promise<TimedPage<Row>>
}

/**
 * The polling interval of a visible list, in milliseconds. Only the first page polls, because new rows appear there.
 */
const pollIntervalMs = 10_000
/** The server's maximum page size. */
const maxPageSize = 500

export interface TimedQueryResult<Row> {
  rows: readonly Row[]
  total: number | undefined
  loading: boolean
  refreshing: boolean
  error: Error | null
  updatedAt: number | undefined
  /** The last refresh failed. */
  outdated: boolean
  refresh: () => void
  live: boolean
  setLive: (live: boolean) => void
}

/**
 * Returns the rows of a page, plus the open row if newer rows have pushed it to the next page: the user may be reading
 * it or playing its recording. `page`: undefined while the rows belong to another page.
 */
const useStickyOpenRow = <Row>(rows: readonly Row[], page: string | undefined, isOpen: (row: Row) => boolean) => {
  const [kept, setKept] = useState<{ page: string; row: Row }>()
  if (page === undefined) return rows
  const row = rows.find(isOpen)
  if (row && (kept?.row !== row || kept.page !== page)) setKept({ page, row })
  return !row && kept?.page === page && isOpen(kept.row) ? [...rows, kept.row] : rows
}

/** A page of events. The first page polls unless the user pauses it. */
export const useTimedQuery = <Row>(
  kind: string,
  source: TimedSource<Row>,
  listState: ListState,
  filters: Record<string, unknown>,
  isOpen: (row: Row) => boolean,
  enabled: boolean,
): TimedQueryResult<Row> => {
  const [live, setLive] = useState(true)
  const { date = '' } = listState.filters
  const base = [kind, 'timed', ...source.key]
  const pressed = useRef(false)
  const pageKey = [...base, { date, filters, page: listState.page, count: listState.pageSize }]
  const result = useQuery({
    queryKey: pageKey,
    queryFn: ({ signal, client, queryKey }) => {
      const isPolling = !pressed.current && client.getQueryData(queryKey) !== undefined
      pressed.current = false
      return source.fetch(
        { page: listState.page, count: listState.pageSize, ...toTimeQuery(date), ...filters },
        signal,
        isPolling,
      )
    },
    placeholderData: (before, query) =>
      query && hashKey(query.queryKey.slice(0, -1)) === hashKey(base) ? before : undefined,
    refetchInterval: live && listState.page === 1 ? pollIntervalMs : false,
    enabled,
  })
  const { data, isPending, isFetching, isPlaceholderData, error, dataUpdatedAt, refetch } = result
  const rows = useStickyOpenRow(data?.data ?? [], isPlaceholderData ? undefined : hashKey(pageKey), isOpen)
  return {
    rows,
    total: data?.total,
    loading: isPending,
    refreshing: isFetching && !isPending,
    error: data === undefined ? error : null,
    updatedAt: dataUpdatedAt || undefined,
    outdated: data !== undefined && error !== null,
    refresh: () => {
      pressed.current = true
      void refetch()
    },
    live,
    setLive,
  }
}

/** Yields all rows that match the filters, up to now. The fixed end keeps new rows from shifting the pages. */
export async function* fetchAllTimedPages<Row>(
  source: TimedSource<Row>,
  date: string,
  filters: Record<string, unknown>,
  signal: AbortSignal,
): AsyncGenerator<RowBatch<Row>> {
  const now = new Date()
  const { days, start, end = now.toISOString() } = toTimeQuery(date, now)
  const from = days === undefined ? start : new Date(now.getTime() - days * 86_400_000).toISOString()
  const times = { ...(from ? { start: from } : {}), end }
  for (let page = 1; ; page += 1) {
    const { data, total } = await source.fetch({ page, count: maxPageSize, ...times, ...filters }, signal)
    yield { rows: data, total }
    if (data.length === 0 || page >= countPages(total, maxPageSize)) return
  }
}

const readStoredColumns = (): Record<string, unknown> => {
  try {
    return (JSON.parse(localValues.columns.get() ?? '{}') as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}

/** The user's selection of columns for a table, stored in this browser. */
export const useVisibleColumns = (table: string, defaultColumns: readonly string[]) => {
  const [chosen, setChosen] = useState(() => readStoredColumns()[table])
  const shown = Array.isArray(chosen) ? chosen.map(String) : defaultColumns
  const choose = (columns: string[] | undefined) => {
    setChosen(columns)
    localValues.columns.set(JSON.stringify({ ...readStoredColumns(), [table]: columns }))
  }
  return { shown, choose }
}
