import { useQuery } from '@tanstack/react-query'
import { buildTrace } from './model/span-tree'
import { traceOfAccount, traceOfProvider } from '@trunkline/contract/resources/trace'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { useLivePollMs } from '../../../panels/calls/live-calls'
import { request } from '../../../lib/client'
import { namedQueryKey } from '../../../lib/query-keys'
import { useProviderSid } from '../../../session/current-provider'
import { useActor } from '../../../session/session'
import { hasTrace } from '../list/call-cells'

export interface TraceParams {
  traceId: string
  /** Account of the call; null for a call without an account, which belongs to the provider. */
  accountSid: string | null
  providerSid: string
}

/** Returns the parameters for the trace of a call; undefined for a call without one. */
export const useTraceParams = (row: RecentCall): TraceParams | undefined => {
  const actor = useActor()
  const providerSid = useProviderSid()
  if (!row.trace_id || !hasTrace(row)) return undefined
  return {
    traceId: row.trace_id,
    accountSid: actor.scope === 'account' ? actor.account_sid : row.account_sid,
    providerSid,
  }
}

/** Loads a trace; null if the server has none of its spans. */
export const useTrace = (params: TraceParams | undefined, isLive = false) => {
  const livePollMs = useLivePollMs()
  const { traceId: trace_id = '', accountSid: account_sid, providerSid: service_provider_sid = '' } = params ?? {}
  return useQuery({
    queryKey: namedQueryKey('trace', 'spans', account_sid ?? service_provider_sid, trace_id),
    queryFn: ({ signal }) =>
      (account_sid
        ? request(traceOfAccount, { params: { account_sid, trace_id }, signal })
        : request(traceOfProvider, { params: { service_provider_sid, trace_id }, signal })
      ).then((response) => buildTrace(response) ?? null),
    enabled: params !== undefined,
    // the spans of a finished call do not change
    staleTime: isLive ? 0 : 60_000,
    refetchInterval: isLive ? livePollMs : false,
    meta: { suppressErrorToast: true },
  })
}
