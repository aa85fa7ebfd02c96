import { useQuery } from '@tanstack/react-query'
import { parseLogLine } from './model/log-line'
import { logsOfAccount } from '@trunkline/contract/resources/recent-call'
import type { RecentCall } from '@trunkline/contract/shapes/recent-call'
import { request } from '../../../lib/client'
import { getFeatureFlags } from '../../../lib/feature-flags'
import { namedQueryKey } from '../../../lib/query-keys'
import { useActor } from '../../../session/session'

export interface LogParams {
  callSid: string
  accountSid: string
  /** The log groups that the user can select; the first is the default. */
  groups: readonly string[]
}

/**
 * Returns the parameters for the logs of a call; undefined if there are none, because the installation is not in a
 * cloud or the call has no account.
 */
export const useLogParams = ({ call_sid, account_sid: callAccountSid }: RecentCall): LogParams | undefined => {
  const actor = useActor()
  const accountSid = actor.scope === 'account' ? actor.account_sid : callAccountSid
  const groups = getFeatureFlags().systemLogGroups
  return call_sid && accountSid && groups.length > 0 ? { callSid: call_sid, accountSid, groups } : undefined
}

/** Loads the log lines of a call from one log group. */
export const useLogs = ({ callSid: call_sid, accountSid: account_sid }: LogParams, group: string) =>
  useQuery({
    queryKey: namedQueryKey('recent_call', 'logs', account_sid, call_sid, group),
    queryFn: async ({ signal }) => {
      const query = { logGroupName: group }
      return (await request(logsOfAccount, { params: { account_sid, call_sid }, query, signal })).map(parseLogLine)
    },
    // lines still arrive for some time after the call, and each query has a cost
    staleTime: 60_000,
    retry: false,
    meta: { suppressErrorToast: true },
  })
