import { useQuery, useQueryClient } from '@tanstack/react-query'
import { liveCall, liveCallsOfProvider } from '@trunkline/contract/resources/live-call'
import type { LiveCall } from '@trunkline/contract/shapes/live-call'
import { request } from '../../lib/client'
import { convertFields } from '../../lib/convert-fields'
import { namedQueryKey } from '../../lib/query-keys'
import { capabilitiesQuery } from '../../lib/server-capabilities'

/** Polling intervals in milliseconds; the longer one is for v1 servers, which may limit the request rate. */
const pollMs = 5000
const slowPollMs = 30_000
const secondMs = 1000

const fieldTypes = {
  text: [
    'account_sid',
    'application_sid',
    'call_id',
    'call_sid',
    'call_status',
    'direction',
    'from',
    'originating_sip_trunk_name',
    'to',
    'trace_id',
  ],
  numbers: ['duration', 'sip_status'],
}

/** A call in progress, with what the console knows about it. */
export interface TimedCall {
  call: LiveCall
  /** Unique in the list and the same in the next response: the SID, but a voice server may report calls without one. */
  id: string
  /** Estimated, in milliseconds since 1970. */
  startedAt: number
  /** The call may have started earlier: it was present in the first response, with no duration yet. */
  mayBeEarlier?: true
}

const createIds = (calls: readonly LiveCall[]): string[] => {
  const callCounts = new Map<string, number>()
  return calls.map(({ account_sid, call_sid, call_id, direction, from, to }) => {
    const name = call_sid || call_id || JSON.stringify([account_sid, direction, from, to])
    const number = (callCounts.get(name) ?? 0) + 1
    callCounts.set(name, number)
    return number === 1 ? name : `${name} ${number}`
  })
}

/**
 * Estimates the start of each call. The platform may report an outdated duration, so the earliest estimate is kept.
 * `previous`: the response before, undefined if there is none or if it is too old.
 */
const estimateStarts = (calls: readonly LiveCall[], previous: readonly TimedCall[] | undefined): TimedCall[] => {
  const knownCalls = new Map(previous?.map((known) => [known.id, known]))
  const ids = createIds(calls)
  const now = Date.now()
  return calls.map((call, index) => {
    const id = ids[index] ?? ''
    const durationSeconds = call.duration ?? 0
    const startedAt = now - durationSeconds * secondMs
    const known = knownCalls.get(id)
    if (known && startedAt >= known.startedAt) return { ...known, call }
    // a call that appears after the first response has just started
    return { call, id, startedAt, ...(durationSeconds === 0 && !previous ? { mayBeEarlier: true as const } : {}) }
  })
}

/** How often data of calls in progress is loaded again, in milliseconds. */
export const useLivePollMs = (): number => {
  const { data: capabilities } = useQuery(capabilitiesQuery)
  return capabilities?.live ? pollMs : slowPollMs
}

/**
 * Polls the calls in progress of an account or a provider, which the key of a call source names. `data` stays undefined
 * if the server can't list them.
 */
export const useLiveCalls = ([level, sid]: readonly unknown[]) => {
  const queryClient = useQueryClient()
  const queryKey = namedQueryKey('live_call', 'running', level, sid)
  const refetchMs = useLivePollMs()
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const calls = await (level === 'account'
        ? request(liveCall.list, { params: { account_sid: String(sid) }, signal, isBackground: true })
        : request(liveCallsOfProvider, { params: { service_provider_sid: String(sid) }, signal, isBackground: true }))
      const previous = queryClient.getQueryState<TimedCall[]>(queryKey)
      const isRecent = Date.now() - (previous?.dataUpdatedAt ?? 0) < 2 * refetchMs
      return estimateStarts(
        calls.map((call) => convertFields(call, fieldTypes)),
        isRecent ? previous?.data : undefined,
      )
    },
    refetchInterval: refetchMs,
    retry: false,
    meta: { suppressErrorToast: true },
  })
}
