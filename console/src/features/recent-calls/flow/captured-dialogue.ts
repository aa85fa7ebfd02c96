import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/call-flow'
import { dialoguesOfAccount, dialoguesOfProvider } from '@trunkline/contract/resources/recent-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { capabilitiesQuery, noCapabilities } from '../../../lib/server-capabilities'
import { request, requestUntyped } from '../../../lib/client'
import { Problem, getErrorMessage } from '../../../lib/problem'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'

/** Returns the requests for captured SIP messages, sent to the routes of the account or of the provider. */
export const useDialogue = ({ account_sid: own }: Pick<RecentCall, 'account_sid'>) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const account_sid = actor.scope === 'account' ? actor.account_sid : own
  const sent = (sip_callid: string) => ({
    ofAccount: { sip_callid, account_sid: account_sid ?? '' },
    ofProvider: { sip_callid, service_provider_sid },
  })
  return {
    trace: (sip_callid: string, signal: AbortSignal) => {
      const { ofAccount, ofProvider } = sent(sip_callid)
      return account_sid
        ? request(dialoguesOfAccount.trace, { params: ofAccount, signal })
        : request(dialoguesOfProvider.trace, { params: ofProvider, signal })
    },
    pcap: async (sip_callid: string, signal?: AbortSignal, method: 'invite' | 'register' = 'invite') => {
      const { ofAccount, ofProvider } = sent(sip_callid)
      const file = account_sid
        ? await requestUntyped(dialoguesOfAccount.pcap, { params: { ...ofAccount, method }, signal })
        : await requestUntyped(dialoguesOfProvider.pcap, { params: { ...ofProvider, method }, signal })
      return file as Blob
    },
  }
}

/** Explains why the SIP messages of a call are missing. */
const reasonOf = (error: Error | null, isOtherServer: boolean): string => {
  const isFailure = error && !(error instanceof Problem && error.status >= 400 && error.status < 500)
  if (isFailure) return messages.notLoaded(getErrorMessage(error))
  return isOtherServer ? messages.notProvided : messages.notCaptured
}

/** Whether the SIP messages of a call were captured, and functions that load them. */
export const useCaptured = (row: RecentCall) => {
  const dialogue = useDialogue(row)
  const { sip_callid, sip_parent_callid } = row
  const { data: able } = useQuery(capabilitiesQuery)
  const { data, error, isFetched } = useQuery({
    queryKey: ['recent_call', 'captured', sip_callid],
    queryFn: ({ signal }) => dialogue.trace(sip_callid ?? '', signal),
    enabled: Boolean(sip_callid),
    retry: false,
    staleTime: 60_000,
    meta: { suppressErrorToast: true },
  })
  return {
    captured: Boolean(data?.total),
    /** Explains why there are none; undefined while unknown. */
    reason: isFetched && !data?.total ? reasonOf(error, able === noCapabilities) : undefined,
    /** Loads the capture of the call itself. */
    own: () => dialogue.pcap(sip_callid ?? ''),
    /** Loads the captures of the call and of its parent call, if that was captured too. */
    legs: async (signal: AbortSignal): Promise<Blob[]> => {
      const own = dialogue.pcap(sip_callid ?? '', signal)
      if (!sip_parent_callid || sip_parent_callid === sip_callid) return [await own]
      const parent = dialogue.pcap(sip_parent_callid, signal).catch((error: unknown) => {
        if (error instanceof Problem && error.status === 404) return undefined
        throw error
      })
      return (await Promise.all([own, parent])).filter((file) => file !== undefined)
    },
  }
}
