import { queryOptions } from '@tanstack/react-query'
import { abilities } from '@trunkline/contract/resources/session'
import type { Abilities } from '@trunkline/contract/shapes/session'
import { serviceProvider } from '@trunkline/contract/resources/service-provider'
import { call } from './client'
import { features } from './feature-flags'
import { tellsAbilities } from './known-server'
import { Problem } from './problem'

/** A server of which nothing more is known than that it keeps the contract. */
export const noAbilities: Abilities = {
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
  callSearch: false,
  alertGroups: false,
  live: false,
  keyExpiry: false,
  webhookTest: false,
  captures: false,
}

/** A refusal says that there are none; a dead line, a failing server and a token that has run out say nothing of it. */
const unknown = (error: unknown): Abilities => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 401) return noAbilities
  throw error
}

/** Asks only a server that has the call: a 404 at every start would be an error in the browser's console. */
const ask = async (signal: AbortSignal): Promise<Abilities> => {
  const { apiBaseUrl } = features()
  // Without any answer yet, a call that every server has tells what kind of server this is.
  if ((await tellsAbilities(apiBaseUrl)) === undefined) await call(serviceProvider.list, { signal, aside: true })
  return (await tellsAbilities(apiBaseUrl)) ? call(abilities, { signal, aside: true }) : noAbilities
}

/** What this server does beyond the interface; asked once. */
export const abilitiesQuery = queryOptions({
  queryKey: ['abilities'],
  queryFn: ({ signal }): Promise<Abilities> => ask(signal).catch(unknown),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { quiet: true },
})

/** Whether the server tells its abilities, and so is one that the settings in docs/configuration.md configure. */
export const isTrunkline = (able: Abilities | undefined): boolean => able !== undefined && able !== noAbilities

/**
 * May something be going on where this server stands? One of which nothing more is known keeps the contract, and that
 * has calls in progress of an account, and its registered devices.
 */
export const mayBeLive = (able: Abilities | undefined): boolean => able === noAbilities || able?.live === true
