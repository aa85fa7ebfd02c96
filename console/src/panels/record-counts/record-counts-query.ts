import { queryOptions } from '@tanstack/react-query'
import { recordCounts } from '@trunkline/contract/resources/record-counts'
import {
  maxCountedRecords,
  type CountedKind,
  type CountFigure,
  type RecordCounts,
} from '@trunkline/contract/shapes/record-counts'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'

export interface CountedPage {
  kind: CountedKind
  /** The SIDs of the rows of a page. */
  sids: readonly string[]
  figures: readonly CountFigure[]
  /** When the rows were loaded; undefined while they are those of another page. */
  updatedAt: number | undefined
}

/** The figures of all rows of a page: one request. Loading the list again loads them again. */
export const createRecordCountsQuery = ({ kind, sids, figures, updatedAt }: CountedPage) =>
  queryOptions({
    queryKey: namedQueryKey('server', 'recordCounts', kind, figures.join(), updatedAt, sids.join()),
    queryFn: ({ signal }) =>
      request(recordCounts, {
        query: { kind, sids: sids.join(), figures: figures.join() },
        signal,
        isBackground: true,
      }),
    enabled: updatedAt !== undefined,
    staleTime: Infinity,
    // the figures of rows that remain on the page
    placeholderData: (previous) => previous,
    meta: { suppressErrorToast: true },
  })

/** Requests the figures of any number of records, one request after the other. */
export const fetchAllCounts = async (
  { kind, figures }: Pick<CountedPage, 'kind' | 'figures'>,
  sids: readonly string[],
  signal: AbortSignal,
): Promise<RecordCounts> => {
  const counts: RecordCounts = {}
  for (let first = 0; first < sids.length; first += maxCountedRecords) {
    const query = { kind, sids: sids.slice(first, first + maxCountedRecords).join(), figures: figures.join() }
    Object.assign(counts, await request(recordCounts, { query, signal }))
  }
  return counts
}
