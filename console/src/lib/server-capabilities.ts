import { queryOptions } from '@tanstack/react-query'
import { serverCapabilities } from '@trunkline/contract/resources/session'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { request } from './client'
import { getFeatureFlags } from './feature-flags'
import { hasCapabilities } from './detect-server'
import { Problem } from './problem'
import { namedQueryKey } from './query-keys'

/** A v1 server: it implements the contract and none of our additions. */
export const noCapabilities: ServerCapabilities = {
  sort: false,
  bulk: false,
  import: false,
  routes: false,
  gateways: false,
  awsRoles: false,
  providerCache: false,
  sharedCache: false,
  recordings: false,
  overview: false,
  overviewGroups: false,
  callSearch: false,
  alertGroups: false,
  live: false,
  keyExpiry: false,
  keyName: false,
  webhookTest: false,
  captures: false,
  billing: false,
  home: false,
  systemHealth: false,
  dependents: false,
  savedViews: false,
  recordCounts: false,
  numberFilters: false,
}

/** A 4xx means that the server has no capabilities. A network error, a 5xx or a 401 does not mean that. */
const returnNoCapabilitiesIfRefused = (error: unknown): ServerCapabilities => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 401)
    return noCapabilities
  throw error
}

/**
 * Requests the route only if the server supports it: a 404 at every start would log an error in the browser's console.
 */
const fetchCapabilities = async (signal: AbortSignal): Promise<ServerCapabilities> => {
  const { apiBaseUrl } = getFeatureFlags()
  // Before the first response, a route that every server has shows which kind of server this is.
  if ((await hasCapabilities(apiBaseUrl)) === undefined)
    await request(serviceProvider.list, { signal, keepsSession: true })
  return (await hasCapabilities(apiBaseUrl))
    ? request(serverCapabilities, { signal, keepsSession: true })
    : noCapabilities
}

/** The server's capabilities beyond the v1 API. Fetched once. */
export const capabilitiesQuery = queryOptions({
  queryKey: namedQueryKey('server', 'capabilities'),
  queryFn: ({ signal }): Promise<ServerCapabilities> => fetchCapabilities(signal).catch(returnNoCapabilitiesIfRefused),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { suppressErrorToast: true },
})

/**
 * Is this our server, which the settings in docs/configuration.md configure? Only our server reports its capabilities.
 */
export const isTrunkline = (capabilities: ServerCapabilities | undefined): boolean =>
  capabilities !== undefined && capabilities !== noCapabilities

/**
 * Could this server have calls in progress? A v1 server implements the contract, which includes an account's calls in
 * progress and registered devices.
 */
export const mayHaveLiveCalls = (capabilities: ServerCapabilities | undefined): boolean =>
  capabilities === noCapabilities || capabilities?.live === true
