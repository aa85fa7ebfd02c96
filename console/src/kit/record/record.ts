import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { Resource } from '@trunkline/contract/kit/resource'
import type { RouteTypes, ParamsOf, Route } from '@trunkline/contract/kit/route'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Kind } from '@trunkline/contract/policy/policy'
import { requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'

/** The part of a resource that screens need for any kind of record. Every `resource()` of the contract satisfies it. */
export interface AnyResource<Row> {
  readonly kind: Kind
  readonly path: string
  readonly key: string
  /** The API has a route that reads one record. */
  readonly isReadable: boolean
  readonly noun: { readonly singular: string; readonly plural: string }
  readonly title: (row: Row) => string
  readonly list: Route<string, { query: ListQuery; response: Row[] | Page<Row> }>
  readonly read: Route<string, { response: Row }>
  readonly create: Route<string, RouteTypes>
  readonly update: Route<string, RouteTypes>
  readonly remove: Route<string, RouteTypes>
}

const column = (row: unknown, name: string): unknown => (row as Record<string, unknown>)[name]

/** The SID of a record. */
export const sidOf = <Row>(resource: Pick<AnyResource<Row>, 'key'>, row: Row): string => {
  const sid = column(row, resource.key)
  return typeof sid === 'string' ? sid : ''
}

/** The owner of a record, for the policy. */
export const ownerOf = (row: unknown): Owner => {
  const text = (name: string) => {
    const value = column(row, name)
    return typeof value === 'string' ? value : null
  }
  return { service_provider_sid: text('service_provider_sid'), account_sid: text('account_sid') }
}

/** The owner of a row from a provider's list. Some rows omit the provider because their account has one. */
export const ownerInProvider = (row: unknown, provider: string): Owner => {
  const { service_provider_sid, account_sid } = ownerOf(row)
  return { service_provider_sid: service_provider_sid ?? provider, account_sid }
}

/** A source of rows: a route with its params and fixed query parameters. */
export interface ListSource<Row> {
  /** Identifies the source in the query cache. */
  readonly key: readonly unknown[]
  readonly fetch: (query: ListQuery, signal?: AbortSignal) => Promise<Row[] | Page<Row>>
}

/** Creates a source of rows: `from(accountsOfProvider, { service_provider_sid })`. */
export const createListSource = <Path extends string, Row>(
  route: Route<Path, { query?: ListQuery; response: Row[] | Page<Row> }>,
  params: ParamsOf<Path>,
  fixed: ListQuery = {},
): ListSource<Row> => ({
  key: [route.path, params, fixed],
  fetch: (query, signal) =>
    requestUntyped(route, { params, query: { ...fixed, ...query }, signal }) as Promise<Row[] | Page<Row>>,
})

/** Reads one record. */
export const fetchRecord = <Row>(
  resource: Pick<AnyResource<Row>, 'read' | 'key'>,
  sid: string,
  signal?: AbortSignal,
): Promise<Row> => requestUntyped(resource.read, { params: { [resource.key]: sid }, signal }) as Promise<Row>

/** Was this record deleted? Servers refuse a change in various ways, but all respond to a read in the same way. */
export const isRecordGone = <Row>(resource: Pick<AnyResource<Row>, 'read' | 'key'>, sid: string): Promise<boolean> =>
  fetchRecord(resource, sid).then(
    () => false,
    (error) => error instanceof Problem && error.gone,
  )

/** Reads one record by its SID. Sends no request without one. */
export const useRecord = <Row>(resource: AnyResource<Row>, sid: string | undefined) =>
  useQuery({
    queryKey: [resource.kind, 'read', sid],
    queryFn: ({ signal }) => fetchRecord(resource, sid ?? '', signal),
    enabled: sid !== undefined,
  })

const steady: readonly unknown[] = ['server-capabilities']

/**
 * After a change: refetches visible data and marks the rest stale, because rows of other kinds contain names. The
 * server's capabilities never change, and service providers change only with their own kind.
 */
export const refreshAfterChange = (cache: QueryClient, kind: Kind) =>
  cache.invalidateQueries({
    predicate: ({ queryKey: [of] }) => !steady.includes(of) && (of === kind || of !== 'service_provider'),
  })

export type SaveInput<Draft, Changes> = { sid?: undefined; draft: Draft } | { sid: string; changes: Changes }

/** Creates a record (`{ draft }`) or updates one (`{ sid, changes }`). Returns its SID. */
export const useSaveRecord = <Row, Draft, Changes, Created, Path extends string, Key extends string>(
  resource: Resource<Row, Draft, Changes, Created, Path, Key>,
) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (saving: SaveInput<Draft, Changes>) => saveRecord(resource, saving),
    onSuccess: () => refreshAfterChange(cache, resource.kind),
  })
}

/** Creates or updates one record. Returns its SID. */
export const saveRecord = async <Draft, Changes>(
  resource: { key: string; create: Route<string, RouteTypes>; update: Route<string, RouteTypes> },
  saving: SaveInput<Draft, Changes>,
): Promise<string> => {
  if (saving.sid === undefined) {
    const made = (await requestUntyped(resource.create, { body: saving.draft })) as Record<string, string> | undefined
    // most create routes return `sid`, some the full property name
    return made?.sid ?? made?.[resource.key] ?? ''
  }
  await requestUntyped(resource.update, { params: { [resource.key]: saving.sid }, body: saving.changes })
  return saving.sid
}

/**
 * Deletes a record by its SID, with a body if the route needs one. `suppressErrorToast`: the caller shows errors. `leave`: navigates
 * away from the record's page before the visible data is refetched.
 */
export const useRemoveRecord = <Row>(
  resource: AnyResource<Row>,
  { quiet: suppressErrorToast = false, leave }: { quiet?: boolean; leave?: () => Promise<unknown> } = {},
) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ sid, body }: { sid: string; body?: unknown }) =>
      requestUntyped(resource.remove, { params: { [resource.key]: sid }, body }),
    meta: { suppressErrorToast },
    onSuccess: async (_answer, { sid }) => {
      await leave?.()
      cache.removeQueries({ queryKey: [resource.kind, 'read', sid] })
      return refreshAfterChange(cache, resource.kind)
    },
  })
}

/**
 * Any other request that changes records of a kind. Refetches even after an error, because some records may have
 * changed. An error shows a toast.
 */
export const useRecordAction = <Given, Answer>(kind: Kind, run: (given: Given) => Promise<Answer>) => {
  const cache = useQueryClient()
  return useMutation({ mutationFn: run, onSettled: () => refreshAfterChange(cache, kind) })
}
