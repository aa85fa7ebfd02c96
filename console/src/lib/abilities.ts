import { queryOptions } from '@tanstack/react-query'
import { abilities } from '@trunkline/contract/resources/session'
import type { Abilities } from '@trunkline/contract/shapes/session'
import { call } from './client'

/** A server of which nothing more is known than that it keeps the contract. */
export const noAbilities: Abilities = { sort: false, bulk: false, awsRoles: false }

/** What this server does beyond the interface; asked once. A server that does not know the question has none. */
export const abilitiesQuery = queryOptions({
  queryKey: ['abilities'],
  queryFn: ({ signal }): Promise<Abilities> => call(abilities, { signal, aside: true }).catch(() => noAbilities),
  staleTime: Infinity,
  gcTime: Infinity,
  meta: { quiet: true },
})
