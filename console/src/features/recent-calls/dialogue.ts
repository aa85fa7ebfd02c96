import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/call-flow'
import { dialoguesOfAccount, dialoguesOfProvider } from '@trunkline/contract/resources/recent-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { request, requestUntyped } from '../../lib/client'
import { Problem, sayProblem } from '../../lib/problem'
import { useProviderSid } from '../../session/provider'
import { useActor } from '../../session/session'

/** The API calls about captured SIP messages, below its account or below the provider. */
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

/** Why no SIP messages of a call can be shown. */
const reasonOf = (error: Error | null, isOtherServer: boolean): string => {
  const isFailure = error && !(error instanceof Problem && error.status >= 400 && error.status < 500)
  if (isFailure) return messages.notLoaded(sayProblem(error))
  return isOtherServer ? messages.notProvided : messages.notCaptured
}

/** Whether somebody has captured the packets of a call, and how to get them. */
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
    meta: { quiet: true },
  })
  return {
    captured: Boolean(data?.total),
    /** In words, once it is known that there are none. */
    reason: isFetched && !data?.total ? reasonOf(error, able === noCapabilities) : undefined,
    /** The packets of the call itself. */
    own: () => dialogue.pcap(sip_callid ?? ''),
    /** The same, and those of the call that it came out of, if they are there too. */
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
