import {
  notifyManager,
  useQuery,
  useQueryClient,
  type QueryClient,
  type QueryKey,
  type QueryState,
} from '@tanstack/react-query'
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { formRecordKey, listKey, recordKey } from '../../lib/query-keys'
import type { ListPage } from '../../lib/request-list'
import { storeDisplayTitle } from './display-title'
import { fetchRecord, sidOf, type AnyResource } from './record'

/** Returns a record from a list that has loaded before. It may be outdated, and lists omit some fields. */
const findListedRow = <Row>(cache: QueryClient, resource: AnyResource<Row>, sid: string): Row | undefined =>
  cache
    .getQueriesData<ListPage<Row>>({ queryKey: listKey(resource.kind, []) })
    .flatMap(([, page]) => page?.rows ?? [])
    .find((row) => sidOf(resource, row) === sid)

/** Stores the title of a record once it is known, for the breadcrumbs. */
const useStoredTitle = <Row>(resource: AnyResource<Row>, sid: string, row: Row | undefined) => {
  const cache = useQueryClient()
  useEffect(() => {
    if (row !== undefined) storeDisplayTitle(cache, resource, sid, row)
  })
}

/** Reads a record for its page. Until the response arrives, `data` is the row of a list if one has loaded before. */
export const useViewedRecord = <Row>(
  resource: AnyResource<Row>,
  sid: string,
  read: (sid: string, signal: AbortSignal) => Promise<Row> = (recordSid, signal) =>
    fetchRecord(resource, recordSid, signal),
) => {
  const cache = useQueryClient()
  const result = useQuery<Row>({
    queryKey: recordKey(resource.kind, sid),
    queryFn: ({ signal }) => read(sid, signal),
    placeholderData: () => findListedRow(cache, resource, sid) as never,
  })
  useStoredTitle(resource, sid, result.data)
  return result
}

/** Returns what the cache knows about a query, without requesting anything. */
export const useCachedQuery = <Data>(queryKey: QueryKey): QueryState<Data> | undefined => {
  const cache = useQueryClient()
  const subscribe = useCallback(
    (onChange: () => void) => cache.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  )
  return useSyncExternalStore(subscribe, () => cache.getQueryState<Data>(queryKey))
}

/**
 * The record that the form of this screen reads, once it is known; before, the row of its page or of a list. `hasFailed`:
 * the form could not read it. A second `useQuery` with the form's key would replace the function with which the form
 * reads the record again after a save.
 */
export const useRecordOfForm = <Row>(resource: AnyResource<Row>, sid: string) => {
  const cache = useQueryClient()
  const form = useCachedQuery<Row>(formRecordKey(resource.kind, sid))
  const data =
    form?.data ?? cache.getQueryData<Row>(recordKey(resource.kind, sid)) ?? findListedRow<Row>(cache, resource, sid)
  useStoredTitle(resource, sid, data)
  return { data, hasFailed: form?.status === 'error' && data === undefined }
}
