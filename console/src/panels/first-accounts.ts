import { useQuery } from '@tanstack/react-query'
import { accountsOfProvider } from '@trunkline/contract/resources/account'
import { requestList } from '../lib/request-list'
import { namedQueryKey } from '../lib/query-keys'
import { useProviderSid } from '../session/current-provider'
import { useActor } from '../session/session'

/**
 * The SIDs of the first two accounts that a record may belong to: enough to distinguish none, one and several.
 * Undefined until known.
 */
export const useFirstAccounts = (isEnabled = true): string[] | undefined => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data } = useQuery({
    queryKey: namedQueryKey('account', 'firstTwo', service_provider_sid),
    queryFn: async ({ signal }) => {
      const query = { page: 1, page_size: 2 }
      const { rows } = await requestList(accountsOfProvider, { params: { service_provider_sid }, query, signal })
      return rows.map(({ account_sid }) => account_sid)
    },
    enabled: isEnabled && actor.scope !== 'account',
    staleTime: 30_000,
  })
  return actor.scope === 'account' ? [actor.account_sid] : data
}
