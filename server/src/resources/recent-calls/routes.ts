import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import {
  callsOfAccount,
  callsOfProvider,
  capturesOfAccount,
  capturesOfProvider,
  failingCarriersOfAccount,
  failingCarriersOfProvider,
  overviewOfAccount,
  overviewOfProvider,
} from '@trunkline/contract/resources/recent-call'
import {
  callOverviewSchema,
  failingCarriersSchema,
  overviewQuerySchema,
  recentCallSchema,
  recentCallQuerySchema,
  eventPageSchema,
  type CallOverview,
} from '@trunkline/contract/shapes/recent-call'
import { addAccountAndApplicationNames } from '../../db/record-names'
import { mountRoute, type HandlerContext } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { requireAccountAccess, requireProviderAccess, toEventPage, timeRangeOf } from '../../http/event-list'
import {
  TooManyRecordsError,
  type CallFilter,
  type CallGroup,
  type CallProperty,
  type Tenant,
} from '../../ports/call-history'
import type { Services } from '../../composition/services'
import { buildOverview } from './overview'
import { listFailingCarriers } from './failing-carriers'
import { buildOverviewGroups, type OverviewGroup } from './overview-groups'

const listSchemas = {
  query: recentCallQuerySchema,
  response: eventPageSchema(recentCallSchema),
  requiresWellFormedSids: false,
}

const overviewSchemas = { query: overviewQuerySchema, response: callOverviewSchema, requiresWellFormedSids: false }

type ListQuery = z.output<typeof recentCallQuerySchema>
type OverviewQuery = z.output<typeof overviewQuerySchema>

const toCallFilter = (query: OverviewQuery | ListQuery): CallFilter => {
  const { direction, answered, trunk, filter: text, sip_status, application_sid, number } = query
  return {
    ...timeRangeOf(query),
    ...(direction === undefined ? {} : { direction }),
    ...(answered === undefined ? {} : { answered }),
    ...(trunk === undefined ? {} : { trunk }),
    ...(text === undefined ? {} : { text }),
    ...(sip_status === undefined ? {} : { sip_status }),
    ...(application_sid === undefined ? {} : { application_sid }),
    ...(number === undefined ? {} : { number }),
  }
}

/** The tenant of a path, and the owner that the policy checks. */
interface AuthorizedTenant {
  tenant: Tenant
  owner: Owner
}

/** Checks access to the calls of the tenant in a path. Throws 400 for a malformed SID and 403 without permission. */
interface TenantAccess {
  ofAccount: (actor: Actor, account_sid: string) => Promise<AuthorizedTenant>
  ofProvider: (actor: Actor, service_provider_sid: string) => AuthorizedTenant
}

/** The calls of a tenant, and the captured SIP dialogs of its calls and of its carriers' registrations. */
export const recentCallRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'captures' | 'callHistory' | 'accounts' | 'voipCarriers' | 'store'>,
): void => {
  const access: TenantAccess = {
    ofAccount: (actor, account_sid) =>
      requireAccountAccess(actor, 'recent_call', account_sid, (sid) => services.accounts.providerOf(sid)),
    ofProvider: (actor, service_provider_sid) => requireProviderAccess(actor, 'recent_call', service_provider_sid),
  }
  callListRoutes(app, services, access)
  overviewRoutes(app, services, access)
  failingCarrierRoutes(app, services, access)
  dialogRoutes(app, services, access)
}

type CallServices = Pick<Services, 'callHistory' | 'store'>

const callListRoutes = (app: FastifyInstance, { callHistory, store }: CallServices, access: TenantAccess): void => {
  const listCalls = async ({ tenant }: AuthorizedTenant, query: ListQuery) => {
    const { page, count, order } = query
    const { total, rows } = await callHistory.listCalls(tenant, {
      ...toCallFilter(query),
      page,
      count,
      ...(order === 'asc' ? { oldestFirst: true } : {}),
    })
    return toEventPage(query, { total, rows: await addAccountAndApplicationNames(store.database.db, rows) })
  }

  mountRoute(app, callsOfAccount, listSchemas, async ({ actor, params, query }) =>
    listCalls(await access.ofAccount(actor, params.account_sid), query),
  )
  mountRoute(app, callsOfProvider, listSchemas, ({ actor, params, query }) =>
    listCalls(access.ofProvider(actor, params.service_provider_sid), query),
  )
}

const overviewRoutes = (app: FastifyInstance, { callHistory, store }: CallServices, access: TenantAccess): void => {
  /** Groups calls by a property. Null if the call history cannot group that many calls; their totals are available anyway. */
  const groupCalls = async (
    tenant: Tenant,
    filter: CallFilter,
    property: CallProperty,
  ): Promise<CallGroup[] | null> => {
    try {
      return await callHistory.groupCalls(tenant, filter, property)
    } catch (error) {
      if (error instanceof TooManyRecordsError) return null
      throw error
    }
  }

  const withAccountNames = async (groups: OverviewGroup[]): Promise<OverviewGroup[]> => {
    const rows = groups.map((group) => ({ ...group, account_sid: group.value }))
    return (await addAccountAndApplicationNames(store.database.db, rows)).map(({ account_sid: _, ...group }) => group)
  }

  const summarizeCalls = async ({ tenant }: AuthorizedTenant, query: OverviewQuery): Promise<CallOverview> => {
    const { by: groupProperty, percentile } = query
    const filter = toCallFilter(query)
    const [sums, groups, delayPercentile] = await Promise.all([
      callHistory.sumCalls(tenant, filter),
      groupProperty ? groupCalls(tenant, filter, groupProperty) : undefined,
      percentile === undefined ? undefined : callHistory.findDelayPercentile(tenant, filter, percentile),
    ])
    const overview: CallOverview = {
      ...buildOverview(sums),
      ...(delayPercentile === undefined ? {} : { post_dial_delay_percentile: delayPercentile }),
    }
    if (!groups) return groups === null ? { ...overview, groups } : overview
    const largestGroups = buildOverviewGroups(groups, overview)
    return { ...overview, groups: groupProperty === 'account' ? await withAccountNames(largestGroups) : largestGroups }
  }

  mountRoute(app, overviewOfAccount, overviewSchemas, async ({ actor, params, query }) =>
    summarizeCalls(await access.ofAccount(actor, params.account_sid), query),
  )
  mountRoute(app, overviewOfProvider, overviewSchemas, ({ actor, params, query }) =>
    summarizeCalls(access.ofProvider(actor, params.service_provider_sid), query),
  )
}

const failingCarrierRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'callHistory' | 'voipCarriers'>,
  access: TenantAccess,
): void => {
  const schemas = { response: failingCarriersSchema, requiresWellFormedSids: false }
  mountRoute(app, failingCarriersOfAccount, schemas, async ({ actor, params }) =>
    listFailingCarriers(services, actor, await access.ofAccount(actor, params.account_sid)),
  )
  mountRoute(app, failingCarriersOfProvider, schemas, ({ actor, params }) =>
    listFailingCarriers(services, actor, access.ofProvider(actor, params.service_provider_sid)),
  )
}

const captureSchema = z.looseObject({ total: z.number() })

const dialogMethods = ['invite', 'register'] as const

/** A SIP dialog in a path. Its method is `invite` for a call and `register` for a registration. A path without method matches both. */
interface DialogParams {
  sip_callid: string
  method?: string
}

/** The captures of SIP dialogs, as JSON and as pcap files. */
const dialogRoutes = (
  app: FastifyInstance,
  { captures, callHistory, voipCarriers }: Pick<Services, 'captures' | 'callHistory' | 'voipCarriers'>,
  access: TenantAccess,
): void => {
  const isCarrierRegistration = async (actor: Actor, { service_provider_sid, account_sid }: Owner, callId: string) =>
    (await voipCarriers.ownersByRegistration(callId)).some(
      (owner) =>
        can(actor, 'read', 'voip_carrier', owner) &&
        owner.service_provider_sid === service_provider_sid &&
        (account_sid === null || owner.account_sid === account_sid),
    )

  /** Throws 404 unless the dialog belongs to a call or a carrier registration of the tenant. A Call-ID is not a secret. */
  const authorizeDialog = async (
    actor: Actor,
    { tenant, owner }: AuthorizedTenant,
    { sip_callid, method }: DialogParams,
  ) => {
    // Administrators may read every dialog, so that nobody can hide one by writing a record with the same Call-ID.
    if (actor.scope === 'admin') return
    const isOwner =
      (method !== 'invite' && (await isCarrierRegistration(actor, owner, sip_callid))) ||
      (method !== 'register' && (await callHistory.isCallOwner(tenant, { sip_callid })))
    if (!isOwner) throw notFound()
  }

  const readCapture = async (
    { actor, params }: HandlerContext<DialogParams, unknown, unknown>,
    tenant: AuthorizedTenant,
  ) => {
    await authorizeDialog(actor, tenant, params)
    const capture = await captures.findMessages(params.sip_callid)
    if (!capture) throw notFound()
    return capture
  }

  const sendPcap = async (
    { actor, params, reply }: HandlerContext<DialogParams, unknown, unknown>,
    tenant: AuthorizedTenant,
  ) => {
    await authorizeDialog(actor, tenant, params)
    const { sip_callid } = params
    const method = dialogMethods.find((name) => name === params.method)
    const file = method && (await captures.findPcap(sip_callid, method))
    if (!file) throw notFound()
    void reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="callid-${sip_callid.replaceAll(/[^\w.@-]/g, '_')}.pcap"`)
    return file
  }

  const captureSchemas = { response: captureSchema, requiresWellFormedSids: false }
  mountRoute(app, capturesOfAccount.summary, captureSchemas, async (context) =>
    readCapture(context, await access.ofAccount(context.actor, context.params.account_sid)),
  )
  mountRoute(app, capturesOfProvider.summary, captureSchemas, (context) =>
    readCapture(context, access.ofProvider(context.actor, context.params.service_provider_sid)),
  )
  mountRoute(app, capturesOfAccount.pcap, { requiresWellFormedSids: false }, async (context) =>
    sendPcap(context, await access.ofAccount(context.actor, context.params.account_sid)),
  )
  mountRoute(app, capturesOfProvider.pcap, { requiresWellFormedSids: false }, (context) =>
    sendPcap(context, access.ofProvider(context.actor, context.params.service_provider_sid)),
  )
}
