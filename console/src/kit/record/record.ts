import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { ListQuery, Page } from '@trunkline/contract/kit/page'
import type { RouteTypes, ParamsOf, Route } from '@trunkline/contract/kit/route'
import type { Owner } from '@trunkline/contract/policy/actor'
import type { Kind } from '@trunkline/contract/policy/policy'
import { requestUntyped } from '../../lib/client'
import { Problem } from '../../lib/problem'
import { requestListUntyped, type ListPage } from '../../lib/request-list'
import { isAffectedBy, listKey, recordKey } from '../../lib/query-keys'

/** The part of a resource that screens need for any kind of record. Every resource of `defineResource` satisfies it. */
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

const getField = (row: unknown, name: string): unknown => (row as Record<string, unknown>)[name]

/** The SID of a record. */
export const sidOf = <Row>(resource: Pick<AnyResource<Row>, 'key'>, row: Row): string => {
  const sid = getField(row, resource.key)
  return typeof sid === 'string' ? sid : ''
}

/** The owner of a record, for the policy. */
export const ownerOf = (row: unknown): Owner => {
  const stringField = (name: string) => {
    const value = getField(row, name)
    return typeof value === 'string' ? value : null
  }
  return { service_provider_sid: stringField('service_provider_sid'), account_sid: stringField('account_sid') }
}

/**
 * The owner of a row from a provider's list. Rows of accounts may omit their provider: it is then `providerSid`, the
 * provider of the list.
 */
export const ownerWithDefaultProvider = (row: unknown, providerSid: string): Owner => {
  const { service_provider_sid, account_sid } = ownerOf(row)
  return { service_provider_sid: service_provider_sid ?? providerSid, account_sid }
}

/** A source of rows: a route with its params and fixed query parameters. */
export interface ListSource<Row> {
  /** Identifies the source in the query cache. */
  readonly key: readonly unknown[]
  readonly fetch: (query: ListQuery, signal?: AbortSignal) => Promise<ListPage<Row>>
}

/** Creates a source of rows: `createListSource(accountsOfProvider, { service_provider_sid })`. */
export const createListSource = <Path extends string, Row>(
  route: Route<Path, { query?: ListQuery; response: Row[] | Page<Row> }>,
  params: ParamsOf<Path>,
  fixedQuery: ListQuery = {},
): ListSource<Row> => ({
  key: [route.path, params, fixedQuery],
  fetch: (query, signal) => requestListUntyped(route, { params, query: { ...fixedQuery, ...query }, signal }),
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
    (error) => error instanceof Problem && error.isGone,
  )

/** Reads one record by its SID. Sends no request without one. */
export const useRecord = <Row>(resource: AnyResource<Row>, sid: string | undefined) =>
  useQuery({
    queryKey: recordKey(resource.kind, sid),
    queryFn: ({ signal }) => fetchRecord(resource, sid ?? '', signal),
    enabled: sid !== undefined,
  })

/**
 * After a change: refetches the visible data that it may affect, and marks the rest of that data stale. Forgets empty
 * lists of the kind that are not on screen: a user who adds the first record and returns to the list must not see, and
 * click on, the message of an empty list.
 */
export const refreshAfterChange = (cache: QueryClient, kind: Kind) => {
  cache.removeQueries({
    queryKey: listKey(kind, []),
    type: 'inactive',
    predicate: ({ state }) => (state.data as ListPage<unknown> | undefined)?.rows.length === 0,
  })
  return cache.invalidateQueries({ predicate: (query) => isAffectedBy(kind, query) })
}

export type SaveInput<Draft, Changes> = { sid?: undefined; draft: Draft } | { sid: string; changes: Changes }

/** Creates or updates one record. Returns its SID. */
export const saveRecord = async <Draft, Changes>(
  resource: { key: string; create: Route<string, RouteTypes>; update: Route<string, RouteTypes> },
  input: SaveInput<Draft, Changes>,
): Promise<string> => {
  if (input.sid === undefined) {
    const created = (await requestUntyped(resource.create, { body: input.draft })) as Record<string, string> | undefined
    // most create routes return `sid`, some the full property name
    return created?.sid ?? created?.[resource.key] ?? ''
  }
  await requestUntyped(resource.update, { params: { [resource.key]: input.sid }, body: input.changes })
  return input.sid
}
