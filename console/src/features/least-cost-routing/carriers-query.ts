import { queryOptions } from '@tanstack/react-query'
import type { Actor } from '@trunkline/contract/policy/actor'
import { carriersOfProvider, voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { requestList } from '../../lib/request-list'
import { namedQueryKey } from '../../lib/query-keys'

/** The query for all carriers that routes may use: those of a provider, or those that an account user can see. */
export const createRouteCarriersQuery = (actor: Actor, service_provider_sid: string) => {
  const isAccountUser = actor.scope === 'account'
  return queryOptions({
    queryKey: namedQueryKey('voip_carrier', 'routable', isAccountUser ? actor.account_sid : service_provider_sid),
    queryFn: async ({ signal }) => {
      const { rows } = isAccountUser
        ? await requestList(voipCarrier.list, { signal })
        : await requestList(carriersOfProvider.list, { params: { service_provider_sid }, signal })
      return rows
    },
    staleTime: 30_000,
  })
}
