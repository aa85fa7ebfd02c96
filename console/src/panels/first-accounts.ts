import { useQuery } from '@tanstack/react-query'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { request } from '../lib/client'
import { useProviderSid } from '../session/current-provider'
import { useActor } from '../session/session'

/**
 * The SIDs of the first two accounts that a record may belong to: enough to distinguish none, one and several.
 * Undefined until known.
 */
export const useFirstAccounts = (asked = true): string[] | undefined => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data } = useQuery({
    queryKey: ['account', 'first two', service_provider_sid],
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: 2 }
      const answer = await request(accountsOfProvider, { params: { service_provider_sid }, query, signal })
      return (Array.isArray(answer) ? answer : answer.data).map(({ account_sid }) => account_sid)
    },
    enabled: asked && actor.scope !== 'account',
    staleTime: 30_000,
  })
  return actor.scope === 'account' ? [actor.account_sid] : data
}
