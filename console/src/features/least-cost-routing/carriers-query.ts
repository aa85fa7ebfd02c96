import { queryOptions } from '@tanstack/react-query'
import type { Actor } from '@trunkline/contract/policy/actor'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { request } from '../../lib/client'

/** The query for all carriers that routes may use: those of a provider, or those that an account user can see. */
export const routeCarriersQuery = (actor: Actor, service_provider_sid: string) => {
  const isAccountUser = actor.scope === 'account'
  return queryOptions({
    queryKey: ['voip_carrier', 'routable', isAccountUser ? actor.account_sid : service_provider_sid],
    queryFn: async ({ signal }) => {
      const response = isAccountUser
        ? await request(voipCarrier.list, { signal })
        : await request(carriersOfProvider.list, { params: { service_provider_sid }, signal })
      return Array.isArray(response) ? response : response.data
    },
    staleTime: 30_000,
  })
}
