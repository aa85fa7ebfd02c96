import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/call-flow'
import { capturesOfAccount, capturesOfProvider } from '@trunkline/contract/resources/recent-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { capabilitiesQuery, noCapabilities } from '../../../lib/server-capabilities'
import { request, requestUntyped } from '../../../lib/client'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { namedQueryKey } from '../../../lib/query-keys'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'

/** Returns the requests for captured SIP messages, sent to the routes of the account or of the provider. */
export const useCaptureRequests = ({ account_sid: callAccountSid }: Pick<RecentCall, 'account_sid'>) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const account_sid = actor.scope === 'account' ? actor.account_sid : callAccountSid
  const createParams = (sip_callid: string) => ({
    accountParams: { sip_callid, account_sid: account_sid ?? '' },
    providerParams: { sip_callid, service_provider_sid },
  })
  return {
    fetchSummary: (sip_callid: string, signal: AbortSignal) => {
      const { accountParams, providerParams } = createParams(sip_callid)
      return account_sid
        ? request(capturesOfAccount.summary, { params: accountParams, signal })
        : request(capturesOfProvider.summary, { params: providerParams, signal })
    },
    fetchPcap: async (sip_callid: string, signal?: AbortSignal, method: 'invite' | 'register' = 'invite') => {
      const { accountParams, providerParams } = createParams(sip_callid)
      const file = account_sid
        ? await requestUntyped(capturesOfAccount.pcap, { params: { ...accountParams, method }, signal })
        : await requestUntyped(capturesOfProvider.pcap, { params: { ...providerParams, method }, signal })
      return file as Blob
    },
  }
}

/** Explains why the SIP messages of a call are missing. */
const explainMissing = (error: Error | null, isV1Server: boolean): string => {
  const isFailure = error && !(error instanceof Problem && error.status >= 400 && error.status < 500)
  if (isFailure) return messages.notLoaded(getErrorMessage(error))
  return isV1Server ? messages.notProvided : messages.notCaptured
}

/** Whether the SIP messages of a call were captured, and functions that load them. */
export const useCallCapture = (row: RecentCall) => {
  const captureRequests = useCaptureRequests(row)
  const { sip_callid, sip_parent_callid } = row
  const { data: capabilities } = useQuery(capabilitiesQuery)
  const { data, error, isFetched } = useQuery({
    queryKey: namedQueryKey('recent_call', 'captureSummary', sip_callid),
    queryFn: ({ signal }) => captureRequests.fetchSummary(sip_callid ?? '', signal),
    enabled: Boolean(sip_callid),
    retry: false,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  return {
    isCaptured: Boolean(data?.total),
    /** Explains why there are none; undefined while unknown. */
    reason: isFetched && !data?.total ? explainMissing(error, capabilities === noCapabilities) : undefined,
    /** Loads the capture of the call itself. */
    loadCapture: () => captureRequests.fetchPcap(sip_callid ?? ''),
    /** Loads the captures of the call and of its parent call, if that was captured too. */
    loadLegCaptures: async (signal: AbortSignal): Promise<Blob[]> => {
      const callCapture = captureRequests.fetchPcap(sip_callid ?? '', signal)
      if (!sip_parent_callid || sip_parent_callid === sip_callid) return [await callCapture]
      const parentCapture = captureRequests.fetchPcap(sip_parent_callid, signal).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return undefined
        throw error
      })
      return (await Promise.all([callCapture, parentCapture])).filter((file) => file !== undefined)
    },
  }
}
