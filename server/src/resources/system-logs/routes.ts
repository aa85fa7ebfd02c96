import type { FastifyInstance } from 'fastify'
import type { FeatureFlags } from '@trunkline/contract/feature-flags'
import { messages } from '@trunkline/contract/messages/system-log'
import { logsOfAccount, logsOfProvider } from '@trunkline/contract/resources/recent-call'
import { logLinesSchema, logQuerySchema, type RecentCall } from '@trunkline/contract/shapes/recent-call'
import { mountRoute } from '../../http/mount-route'
import { badRequest, Problem } from '../../http/problem'
import { requireAccountAccess, requireProviderAccess } from '../../http/event-list'
import { filterAccountLines } from '../../ports/system-logs'
import type { Services } from '../../composition/services'

/** How long before and after a call its log lines are searched. */
const marginMs = 60_000

const getLogTimeRange = ({ attempted_at, terminated_at, duration }: RecentCall) => {
  const start = Date.parse(attempted_at)
  const end = terminated_at ? Date.parse(terminated_at) : start + (duration ?? 0) * 1000
  return { from: Math.max(0, start - marginMs), to: Math.max(start, end) + marginMs }
}

const schemas = { query: logQuerySchema, response: logLinesSchema, requiresWellFormedSids: false }

/** The logs of voice servers about the calls of an account. */
export const systemLogRoutes = (
  app: FastifyInstance,
  { systemLogs, callHistory, accounts }: Pick<Services, 'systemLogs' | 'callHistory' | 'accounts'>,
  { systemLogGroups: configuredGroups }: Pick<FeatureFlags, 'systemLogGroups'>,
): void => {
  mountRoute(app, logsOfAccount, schemas, async ({ actor, params: { account_sid, call_sid }, query }) => {
    const { tenant } = await requireAccountAccess(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
    if (!systemLogs) throw badRequest(messages.awsOnly)
    const group = query.logGroupName ?? configuredGroups[0] ?? ''
    if (!configuredGroups.includes(group)) throw badRequest(messages.invalidGroup(configuredGroups), 'logGroupName')
    const call = await callHistory.findCall(tenant, { call_sid })
    // Tenants can write records with any SID, so only the owner of the call may read its logs.
    if (!call || !(await callHistory.isCallOwner(tenant, { call_sid })))
      throw new Problem(404, { msg: messages.noCall })
    const { sip_callid } = call
    const isOwner = sip_callid && (await callHistory.isCallOwner(tenant, { sip_callid }))
    const callIdentifiers = { callSid: call_sid, ...(isOwner ? { callId: sip_callid } : {}) }
    const { lines, isComplete } = await systemLogs.findLines({
      logGroup: group,
      ...getLogTimeRange(call),
      ...callIdentifiers,
    })
    const visibleLines = filterAccountLines(lines, callIdentifiers, account_sid)
    return isComplete ? visibleLines : [...visibleLines, messages.truncated]
  })

  mountRoute(app, logsOfProvider, schemas, ({ actor, params: { service_provider_sid } }) => {
    requireProviderAccess(actor, 'recent_call', service_provider_sid)
    throw badRequest(messages.accountSidRequired)
  })
}
