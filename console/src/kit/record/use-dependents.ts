import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { hasDependents } from '@trunkline/contract/resources/dependents'
import { dependentsKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { countDependents, type DependentRecord } from './dependents'
import { sidOf, type AnyResource } from './record'
import { useCachedQuery } from './use-viewed-record'

/** Finds the records that use a record, and so prevent its deletion. */
export type FindDependents<Row> = (row: Row) => Promise<DependentRecord[]>

type KeyedResource<Row> = Pick<AnyResource<Row>, 'kind' | 'key'>

const canAskServer = async (cache: QueryClient, kind: string): Promise<boolean> =>
  hasDependents(kind) && (await cache.fetchQuery(capabilitiesQuery)).dependents

/**
 * The records that use a record: from one route of our server, or with `findDependents`, which filters lists, from other
 * servers. Without it, other servers check the deletion themselves.
 */
export const fetchDependentsFrom = async <Row>(
  cache: QueryClient,
  resource: KeyedResource<Row>,
  row: Row,
  findDependents: FindDependents<Row> | undefined,
): Promise<DependentRecord[]> => {
  if (!(await canAskServer(cache, resource.kind))) return (await findDependents?.(row)) ?? []
  // imported on demand, because the list of accounts is the first screen for most users and must stay small
  const { fetchDependentsOf } = await import('./fetch-dependents-of')
  return fetchDependentsOf(resource.kind, sidOf(resource, row))
}

/**
 * The records that use a record. Its page and the dialog that deletes it share the response. Sends no request without a
 * row.
 */
export const useDependents = <Row>(
  resource: KeyedResource<Row>,
  row: Row | undefined,
  findDependents: FindDependents<Row> | undefined,
) => {
  const cache = useQueryClient()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const isListedByServer = capabilities?.dependents === true && hasDependents(resource.kind)
  return useQuery({
    queryKey: dependentsKey(resource.kind, row && sidOf(resource, row)),
    queryFn: () => (row ? fetchDependentsFrom(cache, resource, row, findDependents) : []),
    // without either, an empty response would be cached for the screens that have `findDependents`
    enabled: row !== undefined && (findDependents !== undefined || isListedByServer),
    retry: false,
    meta: { suppressErrorToast: true },
  })
}

/** The number of records of a kind that use a record, if a screen has loaded them. */
export const useLoadedDependentCount = (kind: string, sid: string, dependentKind: string): number | undefined => {
  const dependents = useCachedQuery<DependentRecord[]>(dependentsKey(kind, sid))?.data
  return dependents && countDependents(dependents, dependentKind)
}

/** Requests the dependents again, right before a deletion. */
export const fetchLatestDependents = async <Row>(
  cache: QueryClient,
  resource: KeyedResource<Row>,
  row: Row,
  findDependents: FindDependents<Row> | undefined,
): Promise<DependentRecord[]> => {
  if (!findDependents && !(await canAskServer(cache, resource.kind))) return []
  return cache.fetchQuery({
    queryKey: dependentsKey(resource.kind, sidOf(resource, row)),
    queryFn: () => fetchDependentsFrom(cache, resource, row, findDependents),
    retry: false,
    staleTime: 0,
    meta: { suppressErrorToast: true },
  })
}
