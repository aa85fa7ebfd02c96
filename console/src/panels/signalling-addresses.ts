import { useQuery } from '@tanstack/react-query'
import { sbc } from '@trunkline/contract/resources/sbc'
import type { Sbc } from '@trunkline/contract/shapes/sbc'
import { requestList } from '../lib/request-list'
import { namedQueryKey } from '../lib/query-keys'
import { useProviderSid } from '../session/current-provider'
import { useActor } from '../session/session'

const noRows: Sbc[] = []

/** The SIP addresses of the platform, which carriers must allow. */
export const useSignallingAddresses = (): { sid: string; text: string }[] => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const query = actor.scope === 'admin' ? { service_provider_sid } : {}
  const { data = noRows } = useQuery({
    queryKey: namedQueryKey('sbc', 'all', query),
    queryFn: async ({ signal }) => (await requestList(sbc.list, { query, signal })).rows,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  return data.map(({ sbc_address_sid, ipv4, port }) => ({ sid: sbc_address_sid, text: `${ipv4}:${port}` }))
}
