import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Action } from '@trunkline/contract/policy/policy'
import {
  countCalls,
  listConferences,
  listQueues,
  liveCall,
  liveCallsOfProvider,
  sendMessage,
} from '@trunkline/contract/resources/live-call'
import * as shapes from '@trunkline/contract/shapes/live-call'
import { mountRoute } from '../../http/mount-route'
import { badRequest, notFound, Problem } from '../../http/problem'
import { providerTenant } from '../../http/timed-list'
import type { LiveCall } from '../../ports/live-platform'
import type { Services } from '../../services'
import { providerCallCache } from './provider-call-cache'
import { calledApplicationSid, checkCallBody, checkCommand, checkMessageBody, isObject, withApplication } from './rules'
import { callServers, postToServer, type ServerResponse } from './call-servers'
import { authorizeOwner } from './public'

const body = z.looseObject({})
type Body = z.output<typeof body>

const numericFields = new Set(['duration', 'sip_status'])

/** Converts the platform's camelCase fields to the API's names. Leaves out numeric fields without a number. */
const presentCall = (call: LiveCall): shapes.LiveCall =>
  Object.fromEntries(
    Object.entries(call).flatMap(([name, value]): [string, string | number][] => {
      const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      if (!numericFields.has(column)) return [[column, value]]
      return value.trim() !== '' && Number.isFinite(Number(value)) ? [[column, Number(value)]] : []
    }),
  )

const matchesQuery = (call: shapes.LiveCall, { direction, from, to, callStatus }: shapes.LiveCallQuery) =>
  (!direction || call.direction === direction) &&
  (!from || call.from === from) &&
  (!to || call.to === to) &&
  (!callStatus || call.call_status === callStatus)

/** Calls in progress, and commands to the servers that handle them. Without a platform, all lists are empty. */
export const liveCallRoutes = (
  app: FastifyInstance,
  { livePlatform, accounts, applications }: Services,
  { apiVersion }: { apiVersion: string },
): void => {
  const servers = callServers(livePlatform)
  const providerCalls = providerCallCache(livePlatform, (sid) => accounts.providerOf(sid))

  const authorize = (actor: Actor, action: Action, account_sid: string) =>
    authorizeOwner(actor, action, account_sid, (sid) => accounts.providerOf(sid))

  /** Starts a call or sends a message. Any response other than 201 is passed on as 500 with the server's text. */
  const postToCallServer = async (url: string, requestBody: object): Promise<object> => {
    const { status, body: responseBody } = await postToServer(url, requestBody)
    providerCalls.invalidate()
    if (status === 201 && isObject(responseBody)) return responseBody
    throw new Problem(
      500,
      (typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody)) || 'Internal Server Error',
    )
  }

  const findApplication = async (account_sid: string, application_sid: string, field: string) => {
    const applicationRow = await applications.find({ account_sid }, application_sid)
    if (!applicationRow) throw badRequest(`application_sid not found ${application_sid}`, field)
    return applicationRow
  }

  /**
   * Adds the settings of the application to the body of a new call. Every referenced application must belong to the
   * account.
   */
  const withApplicationSettings = async (account_sid: string, callBody: Body): Promise<Body> => {
    const calledSid = calledApplicationSid(callBody)
    if (calledSid) await findApplication(account_sid, calledSid, 'to')
    const { application_sid } = callBody
    if (typeof application_sid !== 'string' || application_sid === '') return callBody
    return withApplication(callBody, await findApplication(account_sid, application_sid, 'application_sid'))
  }

  mountRoute(
    app,
    liveCall.create,
    { body, response: shapes.startedCall },
    async ({ actor, params: { account_sid }, body: callBody }) => {
      await authorize(actor, 'create', account_sid)
      const url = await servers.nextUrl()
      if (actor.scope === 'service_provider')
        throw badRequest(`unauthorized createCall request for account ${account_sid}`)
      checkCallBody(callBody)
      return postToCallServer(url, { ...(await withApplicationSettings(account_sid, callBody)), account_sid })
    },
  )

  mountRoute(
    app,
    sendMessage,
    { body, response: shapes.startedCall },
    async ({ actor, params: { account_sid }, body: messageBody }) => {
      await authorize(actor, 'create', account_sid)
      const url = await servers.nextUrl()
      if (actor.scope !== 'account' || actor.account_sid !== account_sid)
        throw badRequest(`unauthorized createMessage request for account ${account_sid}`)
      checkMessageBody(messageBody)
      return postToCallServer(url, { ...messageBody, account_sid, message_sid: randomUUID() })
    },
  )

  mountRoute(
    app,
    liveCall.list,
    { query: shapes.liveCallQuery, response: z.array(shapes.liveCall), checkSids: false },
    async ({ actor, params: { account_sid }, query }) => {
      await authorize(actor, 'read', account_sid)
      return (await livePlatform.calls(account_sid)).map(presentCall).filter((call) => matchesQuery(call, query))
    },
  )

  mountRoute(
    app,
    liveCallsOfProvider,
    { query: shapes.liveCallQuery, response: z.array(shapes.liveCall), checkSids: false },
    async ({ actor, params: { service_provider_sid }, query }) => {
      providerTenant(actor, 'live_call', service_provider_sid)
      return (await providerCalls.list(service_provider_sid))
        .map(presentCall)
        .filter((call) => matchesQuery(call, query))
    },
  )

  const findCall = async (account_sid: string, call_sid: string): Promise<LiveCall> => {
    const call = await livePlatform.call(account_sid, call_sid)
    if (!call) throw notFound()
    return call
  }

  mountRoute(app, liveCall.read, { response: shapes.liveCall, checkSids: false }, async ({ actor, params }) => {
    await authorize(actor, 'read', params.account_sid)
    return presentCall(await findCall(params.account_sid, params.call_sid))
  })

  const relayResponse = async (reply: FastifyReply, { status, body: responseBody }: ServerResponse) => {
    void reply.code(status)
    await (responseBody === ''
      ? reply.send()
      : reply.serializer((value) => String(value)).send(serializeBody(reply, responseBody)))
  }

  for (const route of [liveCall.update, liveCall.updateByPost])
    mountRoute(app, route, { body, checkSids: false }, async ({ actor, params, body: command, reply }) => {
      const { account_sid, call_sid } = params
      await authorize(actor, 'update', account_sid)
      const { serviceUrl } = await findCall(account_sid, call_sid)
      checkCommand(command)
      if (!serviceUrl) throw notFound()
      const url = `${serviceUrl.replace(/\/+$/, '')}/${apiVersion}/updateCall/${encodeURIComponent(call_sid)}`
      const response = await postToServer(url, command)
      providerCalls.invalidate()
      await relayResponse(reply, response)
    })

  mountRoute(
    app,
    liveCall.removeFromList,
    { checkSids: false },
    async ({ actor, params: { account_sid, call_sid } }) => {
      await authorize(actor, 'remove', account_sid)
      if (!(await livePlatform.forget(account_sid, call_sid))) throw notFound()
      providerCalls.invalidate()
    },
  )

  mountRoute(
    app,
    listQueues,
    { query: z.looseObject({ search: z.string().optional() }), response: z.array(shapes.queue), checkSids: false },
    async ({ actor, params: { account_sid }, query }) => {
      await authorize(actor, 'read', account_sid)
      return livePlatform.queues(account_sid, query.search)
    },
  )
  mountRoute(app, listConferences, { response: z.array(z.string()), checkSids: false }, async ({ actor, params }) => {
    await authorize(actor, 'read', params.account_sid)
    return livePlatform.conferences(params.account_sid)
  })
  mountRoute(app, countCalls, { response: shapes.callCount, checkSids: false }, async ({ actor, params }) => {
    await authorize(actor, 'read', params.account_sid)
    return livePlatform.callCount(params.account_sid)
  })
}

/** Returns the body in its original form and sets the matching content type. */
const serializeBody = (reply: FastifyReply, responseBody: unknown): string => {
  if (typeof responseBody === 'string') {
    void reply.type('text/plain; charset=utf-8')
    return responseBody
  }
  void reply.type('application/json; charset=utf-8')
  return JSON.stringify(responseBody)
}
