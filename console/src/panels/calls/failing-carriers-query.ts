import { queryOptions, useQuery } from '@tanstack/react-query'
import { failingCarriersOfAccount, failingCarriersOfProvider } from '@trunkline/contract/resources/recent-call'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import type { RecordCalls } from './record-calls'

/** The carriers that fail now. Account users do not see those that their account may not open. */
export const createFailingCarriersQuery = ([level, sid]: RecordCalls['scope']) =>
  queryOptions({
    queryKey: namedQueryKey('recent_call', 'failingCarriers', level, sid),
    queryFn: async ({ signal }) => {
      if (level === 'provider')
        return request(failingCarriersOfProvider, { params: { service_provider_sid: sid }, signal, isBackground: true })
      const options = { params: { account_sid: sid }, signal, isBackground: true }
      return (await request(failingCarriersOfAccount, options)).filter(({ voip_carrier_sid }) => voip_carrier_sid)
    },
    meta: { suppressErrorToast: true },
  })

/** What fails at a carrier; without data if nothing does, or the server cannot tell. */
export const useFailingCarrier = (voip_carrier_sid: string) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return useQuery({
    ...createFailingCarriersQuery(
      actor.scope === 'account' ? ['account', actor.account_sid] : ['provider', service_provider_sid],
    ),
    enabled: capabilities?.home === true,
    select: (rows) => rows.find((row) => row.voip_carrier_sid === voip_carrier_sid),
  })
}
