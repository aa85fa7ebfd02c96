import { queryOptions } from '@tanstack/react-query'
import { serverCapabilities } from '@trunkline/contract/resources/session'
import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { request } from './client'
import { featureFlags } from './feature-flags'
import { hasCapabilities } from './known-server'
import { Problem } from './problem'

/** A server of which nothing more is known than that it keeps the contract. */
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
  webhookTest: false,
  captures: false,
}

/** A refusal says that there are none; a dead line, a failing server and a token that has run out say nothing of it. */
const noneIfRefused = (error: unknown): ServerCapabilities => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 401)
    return noCapabilities
  throw error
}

/** Asks only a server that has the call: a 404 at every start would be an error in the browser's console. */
const fetchCapabilities = async (signal: AbortSignal): Promise<ServerCapabilities> => {
  const { apiBaseUrl } = featureFlags()
  // Without any answer yet, a call that every server has tells what kind of server this is.
  if ((await hasCapabilities(apiBaseUrl)) === undefined)
    await request(serviceProvider.list, { signal, isBackground: true })
  return (await hasCapabilities(apiBaseUrl))
    ? request(serverCapabilities, { signal, isBackground: true })
    : noCapabilities
}

/** What this server does beyond the interface; asked once. */
export const capabilitiesQuery = queryOptions({
  queryKey: ['server-capabilities'],
  queryFn: ({ signal }): Promise<ServerCapabilities> => fetchCapabilities(signal).catch(noneIfRefused),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { quiet: true },
})

/** Whether the server tells its abilities, and so is one that the settings in docs/configuration.md configure. */
export const isTrunkline = (capabilities: ServerCapabilities | undefined): boolean =>
  capabilities !== undefined && capabilities !== noCapabilities

/**
 * May something be going on where this server stands? One of which nothing more is known keeps the contract, and that
 * has calls in progress of an account, and its registered devices.
 */
export const mayHaveLiveCalls = (capabilities: ServerCapabilities | undefined): boolean =>
  capabilities === noCapabilities || capabilities?.live === true
