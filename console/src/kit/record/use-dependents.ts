import { useQuery, type QueryClient } from '@tanstack/react-query'
import { dependentsKey } from '../../lib/query-keys'
import type { DependentRecord } from './dependents'
import { sidOf, type AnyResource } from './record'

/** Finds the records that use a record, and so prevent its deletion. */
export type FindDependents<Row> = (row: Row) => Promise<DependentRecord[]>

type KeyedResource<Row> = Pick<AnyResource<Row>, 'kind' | 'key'>

/**
 * The records that use a record. Its page and the dialog that deletes it share the response. Sends no request without a
 * row.
 */
export const useDependents = <Row>(
  resource: KeyedResource<Row>,
  row: Row | undefined,
  findDependents: FindDependents<Row> | undefined,
) =>
  useQuery({
    queryKey: dependentsKey(resource.kind, row && sidOf(resource, row)),
    queryFn: () => (row && findDependents ? findDependents(row) : []),
    enabled: row !== undefined && findDependents !== undefined,
    retry: false,
    meta: { suppressErrorToast: true },
  })

/** Requests the dependents again, right before a deletion. */
export const fetchLatestDependents = <Row>(
  cache: QueryClient,
  resource: KeyedResource<Row>,
  row: Row,
  findDependents: FindDependents<Row>,
): Promise<DependentRecord[]> =>
  cache.fetchQuery({
    queryKey: dependentsKey(resource.kind, sidOf(resource, row)),
    queryFn: () => findDependents(row),
    retry: false,
    staleTime: 0,
    meta: { suppressErrorToast: true },
  })
