import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ResourceSpans } from '@trunkline/contract/calls/otlp-trace'
import { traceOfAccount, traceOfProvider } from '@trunkline/contract/resources/trace'
import type { Actor } from '@trunkline/contract/policy/actor'
import { mountRoute } from '../../http/mount-route'
import { checkSidFormat, passGate } from '../../http/gate'
import { notFound } from '../../http/problem'
import { visibleTrace, type Tenant } from '../../ports/traces'
import type { Services } from '../../services'

/** OTLP format, returned unchanged. */
const traceShape = z.object({ resourceSpans: z.array(z.custom<ResourceSpans>()) })

/** OpenTelemetry traces of calls. */
export const traceRoutes = (app: FastifyInstance, { traces, accounts }: Services): void => {
  const findTrace = async (actor: Actor, traceId: string, tenant: Tenant) => {
    passGate(actor, 'read', 'recent_call', tenant)
    const parts = traces && /^[0-9a-f]{32}$/i.test(traceId) ? await traces.find(traceId.toLowerCase()) : []
    const trace = await visibleTrace(parts, tenant)
    if (!trace) throw notFound()
    return trace
  }

  mountRoute(
    app,
    traceOfAccount,
    { response: traceShape, checkSids: false },
    async ({ actor, params: { account_sid, trace_id } }) => {
      checkSidFormat(actor, 'Accounts', account_sid)
      const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
      const has = (account: string) => Promise.resolve(account === account_sid.toLowerCase())
      return findTrace(actor, trace_id, { account_sid, service_provider_sid, hasAccount: has })
    },
  )

  mountRoute(
    app,
    traceOfProvider,
    { response: traceShape, checkSids: false },
    async ({ actor, params: { service_provider_sid, trace_id } }) => {
      checkSidFormat(actor, 'ServiceProviders', service_provider_sid)
      const has = async (account: string) => (await accounts.providerOf(account)) === service_provider_sid
      return findTrace(actor, trace_id, { account_sid: null, service_provider_sid, hasAccount: has })
    },
  )
}
