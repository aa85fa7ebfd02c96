import type { QueryClient } from '@tanstack/react-query'
import type { ListQuery } from '@trunkline/contract/kit/page'
import { listCompletenessKey, listKey } from '../../lib/query-keys'
import type { ListPage } from '../../lib/request-list'
import type { ListSource } from '../record/record'

/** Does the query request only the first page, without filters? */
const isUnfilteredFirstPage = ({ page, page_size: _pageSize, ...filters }: ListQuery) =>
  (page === undefined || page === 1) && Object.values(filters).every((value) => value === undefined || value === '')

/**
 * Creates the cache entry of one page: its key, and the function that requests it. A server that returns the complete
 * list gets only one request, without the query.
 */
export const createPageQuery = <Row>(cache: QueryClient, kind: string, source: ListSource<Row>, query: ListQuery) => {
  const completeKey = listCompletenessKey(kind, source.key)
  const pagesKey = listKey(kind, source.key)
  const isKnownComplete = cache.getQueryData(completeKey) === true
  const sentQuery: ListQuery = isKnownComplete ? {} : query
  return {
    queryKey: [...pagesKey, sentQuery],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ListPage<Row>> => {
      const page = await source.fetch(sentQuery, signal)
      if (page.isComplete && !isKnownComplete) {
        cache.setQueryDefaults(completeKey, { gcTime: Infinity, staleTime: Infinity })
        cache.setQueryData(completeKey, true)
        // a filtered first response is not the complete list, so it is requested again without the filter
        if (isUnfilteredFirstPage(query)) cache.setQueryData([...pagesKey, {}], page)
      }
      return page
    },
  }
}
