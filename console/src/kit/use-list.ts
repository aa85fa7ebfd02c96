import { hashKey, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import { useMemo } from 'react'
import { paged, type Look } from './paging'
import type { Source } from './record'

/** How an array is looked through in the browser, when the server gave all of it. */
export interface Locally<Row> {
  matches: (row: Row, look: Look) => boolean
  order: (rows: Row[], look: Look) => Row[]
}

export interface Listed<Row> {
  rows: readonly Row[]
  /** How many match; undefined until known. */
  total: number | undefined
  /** The server gave the whole list: filters, sort and pages are ours. Undefined until known. */
  whole: boolean | undefined
  /** Every row of a whole list that matches, in order. */
  matching: readonly Row[] | undefined
  loading: boolean
  refreshing: boolean
  error: Error | null
  updatedAt: number | undefined
  refresh: () => void
}

const wholeMark = (kind: string, key: readonly unknown[]) => ['whole', kind, ...key]

/**
 * Rows for a look. A server that pages is asked for the page; one that answers with the whole list is asked once, and
 * the rest happens here.
 */
export const useList = <Row>(
  kind: string,
  source: Source<Row>,
  look: Look,
  query: ListQuery,
  locally: Locally<Row>,
  enabled = true,
): Listed<Row> => {
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
        // a filtered first answer is not the whole list: it is asked for once more, without the filter
        if (isPlain(query)) cache.setQueryData([kind, 'list', ...source.key, {}], answer)
      }
      return answer
    },
    // the page before stays while the next one comes, but never another provider's rows
    placeholderData: (before, query) =>
      query && hashKey(query.queryKey.slice(0, -1)) === hashKey([kind, 'list', ...source.key]) ? before : undefined,
    enabled,
  })
  return { ...useShown(result.data, look, locally), ...weather(result) }
}

/** The rows to draw: the server's page, or a page of the whole list. */
const useShown = <Row>(data: Row[] | Page<Row> | undefined, look: Look, locally: Locally<Row>) => {
  const rows = Array.isArray(data) ? data : undefined
  const matching = useMemo(() => {
    return (
      rows &&
      locally.order(
        rows.filter((row) => locally.matches(row, look)),
        look,
      )
    )
    // the look is made anew with each render; what it says is what counts
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows, locally, JSON.stringify(look)])
  if (matching) return { ...paged(matching, look.page, look.pageSize), whole: true, matching }
  const page = data as Page<Row> | undefined
  return { rows: page?.data ?? [], total: page?.total, whole: page && false, matching: undefined }
}

/** How the asking goes. */
const weather = ({ data, isPending, isFetching, error, dataUpdatedAt, refetch }: UseQueryResult<unknown>) => ({
  loading: isPending,
  refreshing: isFetching && !isPending,
  error: data === undefined ? error : null,
  updatedAt: dataUpdatedAt || undefined,
  refresh: () => void refetch(),
})

/** Nothing but the first page was asked for. */
const isPlain = ({ page, page_size: _size, ...rest }: ListQuery) =>
  (page === undefined || page === 1) && Object.values(rest).every((value) => value === undefined || value === '')
