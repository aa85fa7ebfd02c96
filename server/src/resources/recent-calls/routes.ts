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
import { callOverview, overviewQuery, recentCall, recentCallQuery, timed } from '@trunkline/contract/shapes/recent-call'
import { withAccountAndApplicationNames } from '../../db/record-names'
import { mountRoute, type HandlerContext } from '../../http/mount-route'
import { notFound } from '../../http/problem'
import { accountTenant, providerTenant, toTimedPage, timeRangeOf } from '../../http/timed-list'
import type { CallFilter, Tenant } from '../../ports/call-history'
import type { Services } from '../../services'
import { overviewOf } from './overview'

const trace = z.looseObject({ total: z.number() })
const listShapes = { query: recentCallQuery, answer: timed(recentCall), checkSids: false }

const overviewShapes = { query: overviewQuery, answer: callOverview, checkSids: false }

type OfAccount = HandlerContext<{ account_sid: string; sip_callid: string; method?: string }, unknown, unknown>
type OfProvider = HandlerContext<
  { service_provider_sid: string; sip_callid: string; method?: string },
  unknown,
  unknown
>
type Query = z.output<typeof recentCallQuery>
type Sifting = z.output<typeof overviewQuery>

const siftOf = (query: Sifting): CallFilter => {
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
  const ofAccount = (actor: Actor, account_sid: string) =>
    accountTenant(actor, 'recent_call', account_sid, (sid) => accounts.providerOf(sid))
  const ofProvider = (actor: Actor, service_provider_sid: string) =>
    providerTenant(actor, 'recent_call', service_provider_sid)

  const list = async (tenant: Tenant, query: Query) => {
    const { page, count, order } = query
    const { total, rows } = await callHistory.calls(tenant, {
      ...siftOf(query),
      page,
      count,
      ...(order === 'asc' ? { oldestFirst: true } : {}),
    })
    return toTimedPage(query, { total, rows: await withAccountAndApplicationNames(store.database.db, rows) })
  }

  mountRoute(app, callsOfAccount, listShapes, async ({ actor, params, query }) =>
    list((await ofAccount(actor, params.account_sid)).tenant, query),
  )
  mountRoute(app, callsOfProvider, listShapes, ({ actor, params, query }) =>
    list(ofProvider(actor, params.service_provider_sid).tenant, query),
  )

  const overview = async (tenant: Tenant, query: Sifting) => overviewOf(await callHistory.sums(tenant, siftOf(query)))

  mountRoute(app, overviewOfAccount, overviewShapes, async ({ actor, params, query }) =>
    overview((await ofAccount(actor, params.account_sid)).tenant, query),
  )
  mountRoute(app, overviewOfProvider, overviewShapes, ({ actor, params, query }) =>
    overview(ofProvider(actor, params.service_provider_sid).tenant, query),
  )

  const ofCarrier = async (actor: Actor, { service_provider_sid, account_sid }: Owner, callId: string) =>
    (await voipCarriers.registeredBy(callId)).some(
      (owner) =>
        can(actor, 'read', 'voip_carrier', owner) &&
        owner.service_provider_sid === service_provider_sid &&
        (account_sid === null || owner.account_sid === account_sid),
    )

  /**
   * A call ID is no secret: it opens what belongs to a call (`invite`) or to the registration of a carrier (`register`)
   * below this tenant, and nothing else.
   */
  const pass = async (
    actor: Actor,
    { tenant, owner }: { tenant: Tenant; owner: Owner },
    { sip_callid, method }: { sip_callid: string; method?: string },
  ) => {
    // Nobody can hide evidence from an administrator by writing a record with the same Call-ID.
    if (actor.scope === 'admin') return
    const own =
      (method !== 'invite' && (await ofCarrier(actor, owner, sip_callid))) ||
      (method !== 'register' && (await callHistory.isOwner(tenant, { sip_callid })))
    if (!own) throw notFound()
  }

  const passAccount = async ({ actor, params }: OfAccount) =>
    pass(actor, await ofAccount(actor, params.account_sid), params)
  const passProvider = ({ actor, params }: OfProvider) =>
    pass(actor, ofProvider(actor, params.service_provider_sid), params)

  const traceOf = async (callId: string) => {
    const found = await captures.trace(callId)
    if (!found) throw notFound()
    return found
  }
  const fileOf = async ({ params: { sip_callid, method }, reply }: OfAccount | OfProvider) => {
    const dialogue = dialogues.find((each) => each === method)
    const file = dialogue && (await captures.pcap(sip_callid, dialogue))
    if (!file) throw notFound()
    void reply
      .type('application/octet-stream')
      .header('content-disposition', `attachment; filename="callid-${sip_callid.replaceAll(/[^\w.@-]/g, '_')}.pcap"`)
    return file
  }

  mountRoute(app, dialoguesOfAccount.trace, { answer: trace, checkSids: false }, async (asked) => {
    await passAccount(asked)
    return traceOf(asked.params.sip_callid)
  })
  mountRoute(app, dialoguesOfProvider.trace, { answer: trace, checkSids: false }, async (asked) => {
    await passProvider(asked)
    return traceOf(asked.params.sip_callid)
  })
  mountRoute(app, dialoguesOfAccount.pcap, { checkSids: false }, async (asked) => {
    await passAccount(asked)
    return fileOf(asked)
  })
  mountRoute(app, dialoguesOfProvider.pcap, { checkSids: false }, async (asked) => {
    await passProvider(asked)
    return fileOf(asked)
  })
}
