import type { Actor } from '@trunkline/contract/policy/actor'
import {
  callsOfAccount,
  callsOfProvider,
  overviewOfAccount,
  overviewOfProvider,
} from '@trunkline/contract/resources/recent-call'
import type { CallOverview, OverviewQuery, RecentCall } from '@trunkline/contract/shapes/recent-call'
import type { TimedSource } from '../../kit/timed'
import { call } from '../../lib/client'

/** The calls of one account, or of a provider with all its accounts. */
export const callsBelow = (actor: Actor, provider: string, account: string): TimedSource<RecentCall> => {
  const account_sid = actor.scope === 'account' ? actor.account_sid : account
  const ask: TimedSource<RecentCall>['ask'] = account_sid
    ? (query, signal) => call(callsOfAccount, { params: { account_sid }, query: query, signal })
    : (query, signal) =>
        call(callsOfProvider, {
          params: { service_provider_sid: provider },
          query: query,
          signal,
        })
  return { key: account_sid ? ['account', account_sid] : ['provider', provider], ask }
}

/** The same calls, added up. */
export const overviewBelow = (
  [below, sid]: readonly unknown[],
  query: OverviewQuery,
  signal: AbortSignal,
): Promise<CallOverview> =>
  below === 'account'
    ? call(overviewOfAccount, { params: { account_sid: String(sid) }, query, signal, aside: true })
    : call(overviewOfProvider, { params: { service_provider_sid: String(sid) }, query, signal, aside: true })

/** What tells a call from all others; some that failed have no SID. */
export const callKey = ({ call_sid, sip_callid, attempted_at }: RecentCall): string =>
  call_sid || `${attempted_at} ${sip_callid ?? ''}`
