import { queryOptions } from '@tanstack/react-query'
import { abilities } from '@trunkline/contract/resources/session'
import type { Abilities } from '@trunkline/contract/shapes/session'
import { call } from './client'
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
  recordings: false,
  overview: false,
  live: false,
}

/** Who does not know the question says so; a dead line, a stumbling server and a token that is no longer good say nothing of it. */
const unknown = (error: unknown): Abilities => {
  if (error instanceof Problem && error.status >= 400 && error.status < 500 && error.status !== 401) return noAbilities
  throw error
}

/** What this server does beyond the interface; asked once. A server that does not know the question has none. */
export const abilitiesQuery = queryOptions({
  queryKey: ['abilities'],
  queryFn: ({ signal }): Promise<Abilities> => call(abilities, { signal, aside: true }).catch(unknown),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { quiet: true },
})

/**
 * May something be going on where this server stands? One of which nothing more is known keeps the contract, and that
 * has calls in progress of an account, and its registered devices.
 */
export const mayBeLive = (able: Abilities | undefined): boolean => able === noAbilities || able?.live === true
