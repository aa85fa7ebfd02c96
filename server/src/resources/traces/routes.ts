import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { traceOfAccount, traceOfProvider } from '@trunkline/contract/resources/trace'
import type { Actor } from '@trunkline/contract/policy/actor'
import { mountRoute } from '../../http/mount-route'
import { checkTenantSidFormat, checkTenantAccess } from '../../http/tenant-access'
import { notFound } from '../../http/problem'
import { filterVisibleTrace, type TraceReader } from '../../ports/traces'
import type { Services } from '../../composition/services'

/** OTLP format, returned unchanged. */
const traceSchema = z.object({ resourceSpans: z.array(z.custom<ResourceSpans>()) })

/** OpenTelemetry traces of calls. */
export const traceRoutes = (
  app: FastifyInstance,
  { traces, accounts }: Pick<Services, 'traces' | 'accounts'>,
): void => {
  const findTrace = async (actor: Actor, traceId: string, tenant: TraceReader) => {
    checkTenantAccess(actor, 'read', 'recent_call', tenant)
    const traceParts = traces && /^[0-9a-f]{32}$/i.test(traceId) ? await traces.findParts(traceId.toLowerCase()) : []
    const trace = await filterVisibleTrace(traceParts, tenant)
    if (!trace) throw notFound()
    return trace
  }

  mountRoute(
    app,
    traceOfAccount,
    { response: traceSchema, requiresWellFormedSids: false },
    async ({ actor, params: { account_sid, trace_id } }) => {
      checkTenantSidFormat(actor, 'Accounts', account_sid)
      const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
      const hasAccount = (account: string) => Promise.resolve(account === account_sid.toLowerCase())
      return findTrace(actor, trace_id, { account_sid, service_provider_sid, hasAccount })
    },
  )

  mountRoute(
    app,
    traceOfProvider,
    { response: traceSchema, requiresWellFormedSids: false },
    async ({ actor, params: { service_provider_sid, trace_id } }) => {
      checkTenantSidFormat(actor, 'ServiceProviders', service_provider_sid)
      const hasAccount = async (account: string) => (await accounts.providerOf(account)) === service_provider_sid
      return findTrace(actor, trace_id, { account_sid: null, service_provider_sid, hasAccount })
    },
  )
}
