import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import * as z from 'zod'
import { messages } from '@trunkline/contract/messages/live-call'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Action } from '@trunkline/contract/policy/policy'
import {
  callUsageOfAccount,
  callUsageOfProvider,
  countCalls,
  listConferences,
  listQueues,
  liveCall,
  liveCallsOfProvider,
  sendMessage,
} from '@trunkline/contract/resources/live-call'
import * as shapes from '@trunkline/contract/shapes/live-call'
import { mountRoute } from '../../http/mount-route'
import { badRequest, forbidden, notFound, Problem } from '../../http/problem'
import { requireProviderAccess } from '../../http/event-list'
import type { LiveCall, LivePlatform } from '../../ports/live-platform'
import { addAccountAndApplicationNames } from '../../db/record-names'
import type { Services } from '../../composition/services'
import { buildCallUsage } from './call-usage'
import { createFeatureServerRotation, postToFeatureServer, type FeatureServerResponse } from './feature-servers'
import { createProviderCallCache, type ProviderCallCache } from './provider-call-cache'
import { authorizeLiveCallAccess } from './public'
import {
  checkCallBody,
  checkCallWebhooks,
  checkCommand,
  checkMessageBody,
  findCalledApplicationSid,
  isObject,
  mergeApplicationSettings,
} from './rules'

const bodySchema = z.looseObject({})
type Body = z.output<typeof bodySchema>

const numericFields = new Set(['duration', 'sip_status'])

/** Converts the platform's camelCase fields to the API's names. Omits numeric fields whose value is not a number. */
const toApiCall = (call: LiveCall): shapes.LiveCall =>
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

/** The dependencies of several groups of these routes. */
interface LiveCallContext {
  livePlatform: LivePlatform
  providerCalls: ProviderCallCache
  /** Throws unless the actor may do this with live calls of the account. */
  authorize: (actor: Actor, action: Action, account_sid: string) => Promise<void>
}

/** Calls in progress, and commands to the feature servers that handle them. Without a platform, all lists are empty. */
export const liveCallRoutes = (
  app: FastifyInstance,
  services: Pick<Services, 'livePlatform' | 'accounts' | 'applications' | 'limits' | 'store'>,
  { apiVersion }: { apiVersion: string },
): void => {
  const { livePlatform, accounts, applications } = services
  const providerOf = (account_sid: string) => accounts.providerOf(account_sid)
  const context: LiveCallContext = {
    livePlatform,
    providerCalls: createProviderCallCache(livePlatform, providerOf),
    authorize: (actor, action, account_sid) => authorizeLiveCallAccess(actor, action, account_sid, providerOf),
  }
  callCreationRoutes(app, context, { applications, accounts })
  callListRoutes(app, context)
  callCommandRoutes(app, context, apiVersion)
  accountActivityRoutes(app, context)
  callUsageRoutes(app, context, services)
}

/** Starts calls and sends messages. */
const callCreationRoutes = (
  app: FastifyInstance,
  { livePlatform, providerCalls, authorize }: LiveCallContext,
  { applications, accounts }: Pick<Services, 'applications' | 'accounts'>,
): void => {
  const featureServers = createFeatureServerRotation(livePlatform)

  /** Starts a call or sends a message. Passes on any response other than 201 as a 500 with the feature server's text. */
  const startCallOrMessage = async (url: string, requestBody: object): Promise<object> => {
    const { status, body: responseBody } = await postToFeatureServer(url, requestBody)
    providerCalls.invalidate()
    if (status === 201 && isObject(responseBody)) return responseBody
    throw new Problem(
      500,
      (typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody)) || 'Internal Server Error',
    )
  }

  /** Users of an account whose trial has ended can sign in, to upgrade. Like its devices, they make no calls. */
  const requireActiveAccount = async (account_sid: string): Promise<void> => {
    if ((await accounts.find({ account_sid }, account_sid))?.is_active === 0) throw forbidden(messages.inactiveAccount)
  }

  const findApplication = async (account_sid: string, application_sid: string, field: string) => {
    const application = await applications.find({ account_sid }, application_sid)
    if (!application) throw badRequest(`application_sid not found ${application_sid}`, field)
    return application
  }

  /**
   * Adds the settings of the application to the body of a new call. Every application that the body refers to must belong
   * to the account.
   */
  const resolveApplications = async (account_sid: string, callBody: Body): Promise<Body> => {
    const calledSid = findCalledApplicationSid(callBody)
    if (calledSid) await findApplication(account_sid, calledSid, 'to')
    const { application_sid } = callBody
    if (typeof application_sid !== 'string' || application_sid === '') return callBody
    const application = await findApplication(account_sid, application_sid, 'application_sid')
    const mergedBody = mergeApplicationSettings(callBody, application)
    checkCallWebhooks(callBody, mergedBody)
    return mergedBody
  }

  mountRoute(
    app,
    liveCall.create,
    { body: bodySchema, response: shapes.startedCallSchema },
    async ({ actor, params: { account_sid }, body: callBody }) => {
      await authorize(actor, 'create', account_sid)
      await requireActiveAccount(account_sid)
      const url = await featureServers.takeNextUrl()
      if (actor.scope === 'service_provider')
        throw badRequest(`unauthorized createCall request for account ${account_sid}`)
      checkCallBody(callBody)
      return startCallOrMessage(url, { ...(await resolveApplications(account_sid, callBody)), account_sid })
    },
  )

  mountRoute(
    app,
    sendMessage,
    { body: bodySchema, response: shapes.startedCallSchema },
    async ({ actor, params: { account_sid }, body: messageBody }) => {
      await authorize(actor, 'create', account_sid)
      await requireActiveAccount(account_sid)
      const url = await featureServers.takeNextUrl()
      if (actor.scope !== 'account' || actor.account_sid !== account_sid)
        throw badRequest(`unauthorized createMessage request for account ${account_sid}`)
      checkMessageBody(messageBody)
      return startCallOrMessage(url, { ...messageBody, account_sid, message_sid: randomUUID() })
    },
  )
}

const callListRoutes = (app: FastifyInstance, { livePlatform, providerCalls, authorize }: LiveCallContext): void => {
  const schemas = {
    query: shapes.liveCallQuerySchema,
    response: z.array(shapes.liveCallSchema),
    requiresWellFormedSids: false,
  }

  mountRoute(app, liveCall.list, schemas, async ({ actor, params: { account_sid }, query }) => {
    await authorize(actor, 'read', account_sid)
    return (await livePlatform.listCalls(account_sid)).map(toApiCall).filter((call) => matchesQuery(call, query))
  })

  mountRoute(app, liveCallsOfProvider, schemas, async ({ actor, params: { service_provider_sid }, query }) => {
    requireProviderAccess(actor, 'live_call', service_provider_sid)
    return (await providerCalls.list(service_provider_sid)).map(toApiCall).filter((call) => matchesQuery(call, query))
  })
}

/** The number of calls in progress, and the limits that they almost reach. */
const callUsageRoutes = (
  app: FastifyInstance,
  { livePlatform, providerCalls, authorize }: LiveCallContext,
  { limits, store }: Pick<Services, 'limits' | 'store'>,
): void => {
  const schemas = { response: shapes.callUsageSchema, requiresWellFormedSids: false }
  const withAccountNames = async (usage: ReturnType<typeof buildCallUsage>): Promise<shapes.CallUsage> => ({
    ...usage,
    limits: await addAccountAndApplicationNames(store.database.db, usage.limits),
  })

  mountRoute(app, callUsageOfAccount, schemas, async ({ actor, params: { account_sid } }) => {
    await authorize(actor, 'read', account_sid)
    const [calls, accountLimits] = await Promise.all([
      livePlatform.listCalls(account_sid),
      limits.list<{ quantity: number }>('account', account_sid, 'voice_call_session'),
    ])
    return withAccountNames(
      buildCallUsage(
        calls,
        accountLimits.map(({ quantity }) => ({ account_sid, quantity })),
      ),
    )
  })

  mountRoute(app, callUsageOfProvider, schemas, async ({ actor, params: { service_provider_sid } }) => {
    requireProviderAccess(actor, 'live_call', service_provider_sid)
    const [calls, accountLimits, providerLimits] = await Promise.all([
      providerCalls.list(service_provider_sid),
      limits.listOfAccounts(service_provider_sid, 'voice_call_session'),
      limits.list<{ quantity: number }>('service_provider', service_provider_sid, 'voice_call_session'),
    ])
    const allLimits = [...providerLimits.map(({ quantity }) => ({ account_sid: null, quantity })), ...accountLimits]
    return withAccountNames(buildCallUsage(calls, allLimits))
  })
}

/** Reads one call, sends commands to it and removes it from the list. */
const callCommandRoutes = (
  app: FastifyInstance,
  { livePlatform, providerCalls, authorize }: LiveCallContext,
  apiVersion: string,
): void => {
  const findCall = async (account_sid: string, call_sid: string): Promise<LiveCall> => {
    const call = await livePlatform.findCall(account_sid, call_sid)
    if (!call) throw notFound()
    return call
  }

  mountRoute(
    app,
    liveCall.read,
    { response: shapes.liveCallSchema, requiresWellFormedSids: false },
    async ({ actor, params }) => {
      await authorize(actor, 'read', params.account_sid)
      return toApiCall(await findCall(params.account_sid, params.call_sid))
    },
  )

  for (const route of [liveCall.update, liveCall.updateByPost])
    mountRoute(
      app,
      route,
      { body: bodySchema, requiresWellFormedSids: false },
      async ({ actor, params, body: command, reply }) => {
        const { account_sid, call_sid } = params
        await authorize(actor, 'update', account_sid)
        const { serviceUrl } = await findCall(account_sid, call_sid)
        checkCommand(command)
        if (!serviceUrl) throw notFound()
        const url = `${serviceUrl.replace(/\/+$/, '')}/${apiVersion}/updateCall/${encodeURIComponent(call_sid)}`
        const response = await postToFeatureServer(url, command)
        providerCalls.invalidate()
        await relayResponse(reply, response)
      },
    )

  mountRoute(
    app,
    liveCall.removeFromList,
    { requiresWellFormedSids: false },
    async ({ actor, params: { account_sid, call_sid } }) => {
      await authorize(actor, 'remove', account_sid)
      if (!(await livePlatform.removeCall(account_sid, call_sid))) throw notFound()
      providerCalls.invalidate()
    },
  )
}

/** The queues, conferences and number of calls of an account. */
const accountActivityRoutes = (app: FastifyInstance, { livePlatform, authorize }: LiveCallContext): void => {
  mountRoute(
    app,
    listQueues,
    {
      query: z.looseObject({ search: z.string().optional() }),
      response: z.array(shapes.queueSchema),
      requiresWellFormedSids: false,
    },
    async ({ actor, params: { account_sid }, query }) => {
      await authorize(actor, 'read', account_sid)
      return livePlatform.listQueues(account_sid, query.search)
    },
  )
  mountRoute(
    app,
    listConferences,
    { response: z.array(z.string()), requiresWellFormedSids: false },
    async ({ actor, params }) => {
      await authorize(actor, 'read', params.account_sid)
      return livePlatform.listConferences(params.account_sid)
    },
  )
  mountRoute(
    app,
    countCalls,
    { response: shapes.callCountSchema, requiresWellFormedSids: false },
    async ({ actor, params }) => {
      await authorize(actor, 'read', params.account_sid)
      return livePlatform.countCalls(params.account_sid)
    },
  )
}

const relayResponse = async (reply: FastifyReply, { status, body: responseBody }: FeatureServerResponse) => {
  void reply.code(status)
  await (responseBody === ''
    ? reply.send()
    : reply.serializer((value) => String(value)).send(serializeBody(reply, responseBody)))
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
