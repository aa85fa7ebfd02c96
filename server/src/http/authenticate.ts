import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/session'
import { hasBody, limitAnonymousBodies } from './anonymous-body'
import { prefix } from './mount-route'
import { fingerprint, removeToken, tokenInBody, tokenInHead, unauthorized } from './credentials'
import { forbidden, Problem } from './problem'
import { nameActorInLog } from './security-log'

declare module 'fastify' {
  interface FastifyRequest {
    actor?: Actor
    /** The token of the request, kept for the call that ends its session. */
    token?: string
  }
  interface FastifyContextConfig {
    /** Works without a credential. */
    open?: boolean
    /** A call of the contract, by whatever spelling of its address it was reached. */
    call?: boolean
    /** A door for voice servers. */
    ingest?: boolean
  }
}

interface Options {
  actorOf: (token: string) => Promise<Actor | undefined>
  /** Requests in a window for each credential; null: no limit. */
  limit: { max: number; minutes: number } | null
}

const unrouted = new RegExp(`^/+${prefix.slice(1)}/`, 'i')

/**
 * Is this one of the API's addresses? The route decides, not the text of the address, which reaches a route in many
 * spellings (`//v1/…`, `/%761/…`). An address of no route counts by its beginning. A door for voice servers is none,
 * whatever its address: it has keys and refusals of its own.
 */
export const isCall = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config?.ingest !== true && (routeOptions.config?.call === true || unrouted.test(url))

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** The path of a request's route, without the prefix. */
const routePath = ({ routeOptions }: FastifyRequest): string | undefined => routeOptions.url?.slice(prefix.length)

const isChangeOfOwnUser = (request: FastifyRequest): boolean =>
  request.method === 'PUT' &&
  routePath(request) === '/Users/:user_sid' &&
  (request.params as { user_sid?: string }).user_sid === request.actor?.user_sid

/** The writes that every user may do: leaving, and changing the own password. */
const isOwnPasswordRoute = (request: FastifyRequest): boolean =>
  routePath(request) === '/logout' || routePath(request) === '/change-password' || isChangeOfOwnUser(request)

/** What a user reads on the way to a new password. */
const isReadForPasswordChange = (request: FastifyRequest): boolean =>
  isReading(request) && ['/Users/me', '/PasswordSettings'].includes(routePath(request) ?? '')

/** Why a user may not use a route, where its rights are restricted as a whole. */
const restriction = (request: FastifyRequest, { viewOnly, mustChangePassword }: Actor): string | undefined => {
  if (isOwnPasswordRoute(request)) return undefined
  if (mustChangePassword && !isReadForPasswordChange(request)) return messages.mustChangePassword
  return viewOnly && !isReading(request) ? messages.viewOnly : undefined
}

/** A user with restricted rights may change nothing of its own user but the password. */
const hasOnlyPasswords = (request: FastifyRequest): boolean =>
  !isChangeOfOwnUser(request) ||
  Object.keys(request.body ?? {}).every((field) => field === 'old_password' || field === 'new_password')

/**
 * Calls of the hosted edition that existing clients send before anybody is signed in. Where they are not served the answer
 * is 404: clients take 401 for a session that has ended.
 */
const unservedPublic = /^\/+v1\/+(register|signin|forgot-password|InviteCodes|BetaInviteCodes|ActivationCode)(\/|\?|$)/i

const isOpen = ({ routeOptions, is404, url }: FastifyRequest): boolean =>
  routeOptions.config?.open === true || (is404 && unservedPublic.test(url))

type Count = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** Counts a request against its credential, or against its address while it has none. Refuses it over the limit. */
const counting = (app: FastifyInstance, limit: Options['limit']): Count => {
  if (!limit) return () => Promise.resolve()
  const count = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.minutes * 60_000,
    // By credential, so that one tenant cannot use up what another may ask.
    keyGenerator: (request) => (request.actor && request.token ? fingerprint(request.token) : request.ip),
  })
  return async (request, reply) => {
    const used = await count(request)
    if (used.isAllowed) return
    void reply.headers({
      'ratelimit-limit': used.max,
      'ratelimit-remaining': used.remaining,
      'ratelimit-reset': used.ttlInSeconds,
    })
    if (used.isExceeded)
      throw new Problem(429, 'Too many requests, please try again later.', {
        'retry-after': String(used.ttlInSeconds),
      })
  }
}

/**
 * Finds out who sends a request, counts it and refuses who may not come in. A credential in the header or the query is
 * checked before the body is read. Only a request without one may have its token in the body: that body is kept small,
 * and the request is counted and refused after it.
 */
export const useAuthentication = (app: FastifyInstance, { actorOf, limit }: Options): void => {
  const count = counting(app, limit)
  const decided = new WeakSet<FastifyRequest>()

  const identify = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    request.actor = await actorOf(token)
    request.token = token
    if (request.actor) nameActorInLog(request, reply, request.actor)
  }

  const decide = async (request: FastifyRequest, reply: FastifyReply) => {
    decided.add(request)
    await count(request, reply)
    if (isOpen(request)) return
    if (!request.actor) throw unauthorized(request.token)
    const reason = restriction(request, request.actor)
    if (reason) throw forbidden(reason)
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!isCall(request)) return
    const token = tokenInHead(request)
    removeToken(request.query)
    if (token) await identify(request, reply, token)
    if (token || isOpen(request) || !hasBody(request)) await decide(request, reply)
  })

  limitAnonymousBodies(app, (request) => isCall(request) && !request.actor)

  app.addHook('preValidation', async (request, reply) => {
    if (!isCall(request)) return
    const token = tokenInBody(request)
    removeToken(request.body)
    if (token && request.token) throw new Problem(400, 'Bad Request')
    if (token) await identify(request, reply, token)
    if (!decided.has(request)) await decide(request, reply)
    const { actor } = request
    if (!actor || isOpen(request) || hasOnlyPasswords(request)) return
    if (actor.mustChangePassword) throw forbidden(messages.mustChangePassword)
    if (actor.viewOnly) throw forbidden(messages.viewOnly)
  })
}
