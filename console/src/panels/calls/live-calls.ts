import { useQuery } from '@tanstack/react-query'
import { liveCall, liveCallsOfProvider } from '@trunkline/contract/resources/live-call'
import { request } from '../../lib/client'
import { convertFields } from '../../lib/convert-fields'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'

/** Polling intervals in milliseconds; the longer one is for v1 servers, which may limit the request rate. */
const pollMs = 5000
const slowPollMs = 30_000

const fieldTypes = {
  text: ['account_sid', 'call_sid', 'call_id', 'call_status', 'direction', 'from', 'to'],
  numbers: ['duration'],
}

/**
 * Polls the calls in progress of an account or a provider, which the key of a call source names. `data` stays undefined
 * if the server can't list them.
 */
export const useLiveCalls = ([level, sid]: readonly unknown[]) => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return useQuery({
    queryKey: namedQueryKey('live_call', 'running', level, sid),
    queryFn: async ({ signal }) => {
      const calls = await (level === 'account'
        ? request(liveCall.list, { params: { account_sid: String(sid) }, signal, isBackground: true })
        : request(liveCallsOfProvider, { params: { service_provider_sid: String(sid) }, signal, isBackground: true }))
      return calls.map((call) => convertFields(call, fieldTypes))
    },
    refetchInterval: capabilities?.live ? pollMs : slowPollMs,
    retry: false,
    meta: { suppressErrorToast: true },
  })
}
