import type { FastifyInstance } from 'fastify'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { messages } from '@trunkline/contract/messages/system-log'
import { logsOfAccount, logsOfProvider } from '@trunkline/contract/resources/recent-call'
import { logLines, logQuery, type RecentCall } from '@trunkline/contract/shapes/recent-call'
import { mountRoute } from '../../http/mount-route'
import { badRequest, Problem } from '../../http/problem'
import { accountTenant, providerTenant } from '../../http/timed-list'
import { accountLines } from '../../ports/system-logs'
import type { Services } from '../../services'

/** Log lines are searched from this long before the call to this long after it. */
const marginMs = 60_000

const timeRangeOf = ({ attempted_at, terminated_at, duration }: RecentCall) => {
  const start = Date.parse(attempted_at)
  const end = terminated_at ? Date.parse(terminated_at) : start + (duration ?? 0) * 1000
  return { from: Math.max(0, start - marginMs), to: Math.max(start, end) + marginMs }
}

const shapes = { query: logQuery, response: logLines, checkSids: false }

/** Logs of the platform's servers about an account's calls. */
export const systemLogRoutes = (
  app: FastifyInstance,
  { systemLogs, callHistory, accounts }: Services,
  { systemLogGroups: groups }: Pick<FeatureFlags, 'systemLogGroups'>,
): void => {
  mountRoute(app, logsOfAccount, shapes, async ({ actor, params: { account_sid, call_sid }, query }) => {
    const { tenant } = await accountTenant(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
    if (!systemLogs) throw badRequest(messages.noCloud)
    const group = query.logGroupName ?? groups[0] ?? ''
    if (!groups.includes(group)) throw badRequest(messages.invalidGroup(groups), 'logGroupName')
    const call = await callHistory.find(tenant, { call_sid })
    // Tenants can write records with any SID, so only the owner of the call may read its logs.
    if (!call || !(await callHistory.isOwner(tenant, { call_sid }))) throw new Problem(404, { msg: messages.noCall })
    const { sip_callid } = call
    const isOwner = sip_callid && (await callHistory.isOwner(tenant, { sip_callid }))
    const name = { callSid: call_sid, ...(isOwner ? { callId: sip_callid } : {}) }
    const { lines, isComplete } = await systemLogs.find({ group, ...timeRangeOf(call), ...name })
    const visibleLines = accountLines(lines, name, account_sid)
    return isComplete ? visibleLines : [...visibleLines, messages.truncated]
  })

  mountRoute(app, logsOfProvider, shapes, ({ actor, params: { service_provider_sid } }) => {
    providerTenant(actor, 'recent_call', service_provider_sid)
    throw badRequest(messages.accountSidRequired)
  })
}
