import { useQuery } from '@tanstack/react-query'
import { lcr } from '@trunkline/contract/resources/lcr'
import { requestList } from '../lib/request-list'
import { getFeatureFlags } from '../lib/feature-flags'
import { namedQueryKey } from '../lib/query-keys'
import { useSession } from '../session/session'

/** The LCR that belongs to the account or provider of the user. Account and provider users have no list of LCRs. */
export const useOwnLcr = (): string | undefined => {
  const scope = useSession()?.actor.scope
  const { data } = useQuery({
    queryKey: namedQueryKey('lcr', 'ownedByTenant', scope),
    queryFn: async ({ signal }) => {
      const { rows } = await requestList(lcr.list, { signal })
      // a provider's list may also contain LCRs of its accounts
      return rows.find((row) => scope === 'account' || !row.account_sid)?.lcr_sid ?? null
    },
    enabled: scope !== undefined && scope !== 'admin' && getFeatureFlags().leastCostRouting,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  return data ?? undefined
}
