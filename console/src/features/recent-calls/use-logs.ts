import { useQuery } from '@tanstack/react-query'
import { logLineOf } from './logs/model/log-line'
import { logsOfAccount } from '@trunkline/contract/resources/recent-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { request } from '../../lib/client'
import { featureFlags } from '../../lib/feature-flags'
import { useActor } from '../../session/session'

export interface LogPlace {
  callSid: string
  accountSid: string
  /** The log groups that may be looked into; the first is the usual one. */
  groups: readonly string[]
}

/** Where the logs of a call are asked for; undefined where there are none: elsewhere than in a cloud, or of a call without an account. */
export const useLogPlace = ({ call_sid, account_sid: own }: RecentCall): LogPlace | undefined => {
  const actor = useActor()
  const accountSid = actor.scope === 'account' ? actor.account_sid : own
  const groups = featureFlags().systemLogGroups
  return call_sid && accountSid && groups.length > 0 ? { callSid: call_sid, accountSid, groups } : undefined
}

/** What a group has of a call, line by line. */
export const useLogs = ({ callSid: call_sid, accountSid: account_sid }: LogPlace, group: string) =>
  useQuery({
    queryKey: ['recent_call', 'logs', account_sid, call_sid, group],
    queryFn: async ({ signal }) => {
      const query = { logGroupName: group }
      return (await request(logsOfAccount, { params: { account_sid, call_sid }, query, signal })).map(logLineOf)
    },
    // lines come in for some time after a call has ended, and looking for them costs
    staleTime: 60_000,
    retry: false,
    meta: { quiet: true },
  })
