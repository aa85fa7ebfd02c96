import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import {
  callsOfAccount,
  callsOfProvider,
  dialoguesOfAccount,
  dialoguesOfProvider,
  overviewOfAccount,
  overviewOfProvider,
} from '@trunkline/contract/resources/recent-call'
import {
  callOverview,
  overviewQuery,
  recentCall,
  recentCallQuery,
  timedPageOf,
  type CallOverview,
} from '@trunkline/contract/shapes/recent-call'
import { withAccountAndApplicationNames } from '../../db/record-names'
import { mountRoute, type HandlerContext } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { accountTenant, providerTenant, toTimedPage, timeRangeOf } from '../../http/timed-list'
import {
  TooManyRecordsError,
  type CallFilter,
  type CallGroup,
  type CallProperty,
  type Tenant,
} from '../../ports/call-history'
import type { Services } from '../../services'
import { overviewOf } from './overview'
import { overviewGroups, type OverviewGroup } from './overview-groups'

const traceShape = z.looseObject({ total: z.number() })
const listShapes = { query: recentCallQuery, response: timedPageOf(recentCall), checkSids: false }

const overviewShapes = { query: overviewQuery, response: callOverview, checkSids: false }

type AccountRequest = HandlerContext<{ account_sid: string; sip_callid: string; method?: string }, unknown, unknown>
type ProviderRequest = HandlerContext<
  { service_provider_sid: string; sip_callid: string; method?: string },
  unknown,
  unknown
>
type Query = z.output<typeof recentCallQuery>
type OverviewQuery = z.output<typeof overviewQuery>

const toCallFilter = (query: OverviewQuery | Query): CallFilter => {
  const { direction, answered, trunk, filter: text, sip_status, application_sid } = query
  return {
    ...timeRangeOf(query),
    ...(direction === undefined ? {} : { direction }),
    ...(answered === undefined ? {} : { answered }),
    ...(trunk === undefined ? {} : { trunk }),
    ...(text === undefined ? {} : { text }),
    ...(sip_status === undefined ? {} : { sip_status }),
    ...(application_sid === undefined ? {} : { application_sid }),
  }
}

const dialogues = ['invite', 'register'] as const

/** The calls of a tenant, and the captured SIP dialogues of its calls and of its carriers' registrations. */
export const recentCallRoutes = (
  app: FastifyInstance,
  { captures, callHistory, accounts, voipCarriers, store }: Services,
): void => {
  const authorizeAccount = (actor: Actor, account_sid: string) =>
    accountTenant(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
  const authorizeProvider = (actor: Actor, service_provider_sid: string) =>
    providerTenant(actor, 'recent_call', service_provider_sid)

  const listCalls = async (tenant: Tenant, query: Query) => {
    const { page, count, order } = query
    const { total, rows } = await callHistory.calls(tenant, {
      ...toCallFilter(query),
      page,
      count,
      ...(order === 'asc' ? { oldestFirst: true } : {}),
    })
    return toTimedPage(query, { total, rows: await withAccountAndApplicationNames(store.database.db, rows) })
  }

  mountRoute(app, callsOfAccount, listShapes, async ({ actor, params, query }) =>
    listCalls((await authorizeAccount(actor, params.account_sid)).tenant, query),
  )
  mountRoute(app, callsOfProvider, listShapes, ({ actor, params, query }) =>
    listCalls(authorizeProvider(actor, params.service_provider_sid).tenant, query),
  )

  const groupCalls = async (
    tenant: Tenant,
    filter: CallFilter,
    property: CallProperty,
  ): Promise<CallGroup[] | null> => {
    try {
      return await callHistory.groups(tenant, filter, property)
    } catch (error) {
      // The rest of the overview is known all the same.
      if (error instanceof TooManyRecordsError) return null
      throw error
    }
  }

  const withAccountNames = async (groups: OverviewGroup[]): Promise<OverviewGroup[]> => {
    const rows = groups.map((group) => ({ ...group, account_sid: group.value }))
    return (await withAccountAndApplicationNames(store.database.db, rows)).map(({ account_sid: _, ...group }) => group)
  }

  const summarize = async (tenant: Tenant, query: OverviewQuery): Promise<CallOverview> => {
    const { by } = query
    const filter = toCallFilter(query)
    const [sums, groups] = await Promise.all([
      callHistory.sums(tenant, filter),
      by ? groupCalls(tenant, filter, by) : undefined,
    ])
    const overview = overviewOf(sums)
    if (!groups) return groups === null ? { ...overview, groups } : overview
    const largestGroups = overviewGroups(groups, overview)
    return { ...overview, groups: by === 'account' ? await withAccountNames(largestGroups) : largestGroups }
  }

  mountRoute(app, overviewOfAccount, overviewShapes, async ({ actor, params, query }) =>
    summarize((await authorizeAccount(actor, params.account_sid)).tenant, query),
  )
  mountRoute(app, overviewOfProvider, overviewShapes, ({ actor, params, query }) =>
    summarize(authorizeProvider(actor, params.service_provider_sid).tenant, query),
  )

  const isCarrierRegistration = async (actor: Actor, { service_provider_sid, account_sid }: Owner, callId: string) =>
    (await voipCarriers.ownersByRegistration(callId)).some(
      (owner) =>
        can(actor, 'read', 'voip_carrier', owner) &&
        owner.service_provider_sid === service_provider_sid &&
        (account_sid === null || owner.account_sid === account_sid),
    )

  /**
   * A Call-ID is not a secret. Checks that the dialogue belongs to a call (`invite`) or to a carrier registration
   * (`register`) of this tenant.
   */
  const authorizeDialogue = async (
    actor: Actor,
    { tenant, owner }: { tenant: Tenant; owner: Owner },
    { sip_callid, method }: { sip_callid: string; method?: string },
  ) => {
    // Administrators see every dialogue, so that nobody can hide one by writing a record with the same Call-ID.
    if (actor.scope === 'admin') return
    const isOwner =
      (method !== 'invite' && (await isCarrierRegistration(actor, owner, sip_callid))) ||
      (method !== 'register' && (await callHistory.isOwner(tenant, { sip_callid })))
    if (!isOwner) throw notFound()
  }

  const authorizeAccountDialogue = async ({ actor, params }: AccountRequest) =>
    authorizeDialogue(actor, await authorizeAccount(actor, params.account_sid), params)
  const authorizeProviderDialogue = ({ actor, params }: ProviderRequest) =>
    authorizeDialogue(actor, authorizeProvider(actor, params.service_provider_sid), params)

  const findTrace = async (callId: string) => {
    const capture = await captures.trace(callId)
    if (!capture) throw notFound()
    return capture
  }
  const sendPcap = async ({ params: { sip_callid, method }, reply }: AccountRequest | ProviderRequest) => {
    const dialogue = dialogues.find((kind) => kind === method)
    const file = dialogue && (await captures.pcap(sip_callid, dialogue))
    if (!file) throw notFound()
    void reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="callid-${sip_callid.replaceAll(/[^\w.@-]/g, '_')}.pcap"`)
    return file
  }

  mountRoute(app, dialoguesOfAccount.trace, { response: traceShape, checkSids: false }, async (context) => {
    await authorizeAccountDialogue(context)
    return findTrace(context.params.sip_callid)
  })
  mountRoute(app, dialoguesOfProvider.trace, { response: traceShape, checkSids: false }, async (context) => {
    await authorizeProviderDialogue(context)
    return findTrace(context.params.sip_callid)
  })
  mountRoute(app, dialoguesOfAccount.pcap, { checkSids: false }, async (context) => {
    await authorizeAccountDialogue(context)
    return sendPcap(context)
  })
  mountRoute(app, dialoguesOfProvider.pcap, { checkSids: false }, async (context) => {
    await authorizeProviderDialogue(context)
    return sendPcap(context)
  })
}
