import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/session'
import { hasBody, limitAnonymousBodies } from './anonymous-body'
import { apiPrefix } from './mount-route'
import { fingerprint, removeToken, tokenInBody, tokenInHeaderOrQuery, unauthorized } from './credentials'
import { forbidden, Problem } from './problem'
import { addActorToLog } from './security-log'

declare module 'fastify' {
  interface FastifyRequest {
    actor?: Actor
    /** The token of the request, kept for the call that ends its session. */
    token?: string
  }
  interface FastifyContextConfig {
    /** Works without a credential. */
    isPublic?: boolean
    /** A call of the contract, by whatever spelling of its address it was reached. */
    isApiRoute?: boolean
    /** A door for voice servers. */
    isIngestRoute?: boolean
  }
}

interface Options {
  actorOf: (token: string) => Promise<Actor | undefined>
  /** Requests in a window for each credential; null: no limit. */
  limit: { max: number; minutes: number } | null
}

const apiPathPattern = new RegExp(`^/+${apiPrefix.slice(1)}/`, 'i')

/**
 * Is this one of the API's addresses? The route decides, not the text of the address, which reaches a route in many
 * spellings (`//v1/…`, `/%761/…`). An address of no route counts by its beginning. A door for voice servers is none,
 * whatever its address: it has keys and refusals of its own.
 */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config?.isIngestRoute !== true && (routeOptions.config?.isApiRoute === true || apiPathPattern.test(url))

const isReadRequest = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** The path of a request's route, without the prefix. */
const routePath = ({ routeOptions }: FastifyRequest): string | undefined => routeOptions.url?.slice(apiPrefix.length)

const isOwnUserUpdate = (request: FastifyRequest): boolean =>
  request.method === 'PUT' &&
  routePath(request) === '/Users/:user_sid' &&
  (request.params as { user_sid?: string }).user_sid === request.actor?.user_sid

/** The writes that every user may do: leaving, and changing the own password. */
const isOwnPasswordRoute = (request: FastifyRequest): boolean =>
  routePath(request) === '/logout' || routePath(request) === '/change-password' || isOwnUserUpdate(request)

/** What a user reads on the way to a new password. */
const isReadForPasswordChange = (request: FastifyRequest): boolean =>
  isReadRequest(request) && ['/Users/me', '/PasswordSettings'].includes(routePath(request) ?? '')

/** Why a user may not use a route, where its rights are restricted as a whole. */
const restrictionMessage = (request: FastifyRequest, { viewOnly, mustChangePassword }: Actor): string | undefined => {
  if (isOwnPasswordRoute(request)) return undefined
  if (mustChangePassword && !isReadForPasswordChange(request)) return messages.mustChangePassword
  return viewOnly && !isReadRequest(request) ? messages.viewOnly : undefined
}

/** A user with restricted rights may change nothing of its own user but the password. */
const changesOnlyPassword = (request: FastifyRequest): boolean =>
  !isOwnUserUpdate(request) ||
  Object.keys(request.body ?? {}).every((field) => field === 'old_password' || field === 'new_password')

/**
 * Calls of the hosted edition that existing clients send before anybody is signed in. Where they are not served the answer
 * is 404: clients take 401 for a session that has ended.
 */
const hostedEditionPaths =
  /^\/+v1\/+(register|signin|forgot-password|InviteCodes|BetaInviteCodes|ActivationCode)(\/|\?|$)/i

const isPublicRequest = ({ routeOptions, is404, url }: FastifyRequest): boolean =>
  routeOptions.config?.isPublic === true || (is404 && hostedEditionPaths.test(url))

type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Counts a request against its credential, or against its address while it has none. Refuses it over the limit. */
const requestCounter = (app: FastifyInstance, limit: Options['limit']): CountRequest => {
  if (!limit) return () => Promise.resolve()
  const count = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.minutes * 60_000,
    // By credential, so that one tenant cannot use up what another may ask.
    keyGenerator: (request) => (request.actor && request.token ? fingerprint(request.token) : request.ip),
  })
  return async (request, reply) => {
    const usage = await count(request)
    if (usage.isAllowed) return
    void reply.headers({
      'ratelimit-limit': usage.max,
      'ratelimit-remaining': usage.remaining,
      'ratelimit-reset': usage.ttlInSeconds,
    })
    if (usage.isExceeded)
      throw new Problem(429, 'Too many requests, please try again later.', {
        'retry-after': String(usage.ttlInSeconds),
      })
  }
}

/**
 * Finds out who sends a request, counts it and refuses who may not come in. A credential in the header or the query is
 * checked before the body is read. Only a request without one may have its token in the body: that body is kept small,
 * and the request is counted and refused after it.
 */
export const useAuthentication = (app: FastifyInstance, { actorOf, limit }: Options): void => {
  const count = requestCounter(app, limit)
  const checkedRequests = new WeakSet<FastifyRequest>()

  const identify = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    request.actor = await actorOf(token)
    request.token = token
    if (request.actor) addActorToLog(request, reply, request.actor)
  }

  const checkAccess = async (request: FastifyRequest, reply: FastifyReply) => {
    checkedRequests.add(request)
    await count(request, reply)
    if (isPublicRequest(request)) return
    if (!request.actor) throw unauthorized(request.token)
    const reason = restrictionMessage(request, request.actor)
    if (reason) throw forbidden(reason)
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!isApiRequest(request)) return
    const token = tokenInHeaderOrQuery(request)
    removeToken(request.query)
    if (token) await identify(request, reply, token)
    if (token || isPublicRequest(request) || !hasBody(request)) await checkAccess(request, reply)
  })

  limitAnonymousBodies(app, (request) => isApiRequest(request) && !request.actor)

  app.addHook('preValidation', async (request, reply) => {
    if (!isApiRequest(request)) return
    const token = tokenInBody(request)
    removeToken(request.body)
    if (token && request.token) throw new Problem(400, 'Bad Request')
    if (token) await identify(request, reply, token)
    if (!checkedRequests.has(request)) await checkAccess(request, reply)
    const { actor } = request
    if (!actor || isPublicRequest(request) || changesOnlyPassword(request)) return
    if (actor.mustChangePassword) throw forbidden(messages.mustChangePassword)
    if (actor.viewOnly) throw forbidden(messages.viewOnly)
  })
}
