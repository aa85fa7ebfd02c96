import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { messages as registrationMessages } from '@trunkline/contract/messages/registration'
import { messages } from '@trunkline/contract/messages/session'
import { isOptionalPath } from './optional-routes'
import { hasBody, limitAnonymousBodies } from './anonymous-body'
import { apiPrefix } from './mount-route'
import { fingerprintOf, removeToken, findTokenInBody, findTokenInHeaderOrQuery, unauthorized } from './credentials'
import { forbidden, Problem } from './problem'
import { addActorToLog } from './security-log'

declare module 'fastify' {
  interface FastifyRequest {
    actor?: Actor
    /** The token of the request, for the route that ends its session. */
    token?: string
  }
  interface FastifyContextConfig {
    /** Needs no credential. */
    isPublic?: boolean
    /** A route of the contract. */
    isApiRoute?: boolean
    /** An ingest route for voice servers. */
    isIngestRoute?: boolean
  }
}

interface AuthenticationOptions {
  actorOf: (token: string) => Promise<Actor | undefined>
  /** The client network of an IP address. */
  networkOf: (ip: string) => string
  /** The limit per credential and time window; null: no limit. */
  rateLimit: { max: number; minutes: number } | null
}

const apiPathPattern = new RegExp(`^/+${apiPrefix.slice(1)}/`, 'i')

/**
 * Whether the request is for the API. The matched route decides, because many spellings of a URL reach the same route
 * (`//v1/…`, `/%761/…`). A URL without a route counts by its prefix. Ingest routes do not count: they authenticate
 * differently and have other error responses.
 */
export const isApiRequest = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config?.isIngestRoute !== true && (routeOptions.config?.isApiRoute === true || apiPathPattern.test(url))

const isReadRequest = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** The path of a request's route, without the prefix. */
const routePathOf = ({ routeOptions }: FastifyRequest): string | undefined => routeOptions.url?.slice(apiPrefix.length)

const isOwnUserUpdate = (request: FastifyRequest): boolean =>
  request.method === 'PUT' &&
  routePathOf(request) === '/Users/:user_sid' &&
  (request.params as { user_sid?: string }).user_sid === request.actor?.user_sid

/** Every user may sign out and change their own password, even a restricted one. */
const isOwnPasswordRoute = (request: FastifyRequest): boolean =>
  routePathOf(request) === '/logout' || routePathOf(request) === '/change-password' || isOwnUserUpdate(request)

/** The routes that the console reads to show the password change page. */
const isReadForPasswordChange = (request: FastifyRequest): boolean =>
  isReadRequest(request) && ['/Users/me', '/PasswordSettings'].includes(routePathOf(request) ?? '')

/** The routes that confirm an email address. */
const isActivationRoute = (request: FastifyRequest): boolean =>
  ['/logout', '/ActivationCode', '/ActivationCode/:code'].includes(routePathOf(request) ?? '')

/**
 * The error for a view-only user, or for a user who must first confirm the email address or change the password; undefined
 * if the route is allowed.
 */
const findRestrictionMessage = (
  request: FastifyRequest,
  { viewOnly, mustChangePassword, mustConfirmEmail }: Actor,
): string | undefined => {
  if (mustConfirmEmail) return isActivationRoute(request) ? undefined : registrationMessages.mustConfirmEmail
  if (isOwnPasswordRoute(request)) return undefined
  if (mustChangePassword && !isReadForPasswordChange(request)) return messages.mustChangePassword
  return viewOnly && !isReadRequest(request) ? messages.viewOnly : undefined
}

/** A restricted user may change only the password of their user record. */
const changesOnlyPassword = (request: FastifyRequest): boolean =>
  !isOwnUserUpdate(request) ||
  Object.keys(request.body ?? {}).every((field) => field === 'old_password' || field === 'new_password')

const isPublicRequest = ({ routeOptions, is404, url }: FastifyRequest): boolean =>
  routeOptions.config?.isPublic === true || (is404 && isOptionalPath(url))

interface RequestCounter {
  /** Throws 429 if an earlier request with this valid credential was over the limit, so that the lookup can be skipped. */
  refuseOverLimit: (request: FastifyRequest, reply: FastifyReply, token: string) => Promise<void>
  /** Counts a request per valid credential or, without one, per client network. Throws 429 over the limit. */
  countRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>
}

/** Counts requests for the rate limit. */
const createRequestCounter = (
  app: FastifyInstance,
  { rateLimit: limit, networkOf }: Pick<AuthenticationOptions, 'rateLimit' | 'networkOf'>,
): RequestCounter => {
  if (!limit) return { refuseOverLimit: () => Promise.resolve(), countRequest: () => Promise.resolve() }
  /** Requests whose credential is not looked up yet. An unknown credential is never counted under its fingerprint. */
  const fingerprints = new WeakMap<FastifyRequest, string>()
  const countForKey = app.createRateLimit({
    max: limit.max,
    timeWindow: limit.minutes * 60_000,
    // Per credential, so that one tenant cannot use up another tenant's limit.
    keyGenerator: (request) =>
      fingerprints.get(request) ??
      (request.actor && request.token ? fingerprintOf(request.token) : networkOf(request.ip)),
  })
  type Usage = Awaited<ReturnType<typeof countForKey>>

  const applyLimit = (reply: FastifyReply, usage: Usage) => {
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

  return {
    async refuseOverLimit(request, reply, token) {
      fingerprints.set(request, fingerprintOf(token))
      const usage = await countForKey(request, { increment: false })
      fingerprints.delete(request)
      if (!usage.isAllowed && usage.isExceeded) applyLimit(reply, usage)
    },
    async countRequest(request, reply) {
      applyLimit(reply, await countForKey(request))
    },
  }
}

/**
 * Authenticates API requests, counts them for the rate limit and refuses unauthorized ones. A token in the header or the
 * query is checked before the body is read. Otherwise the token may be in the body, which is then limited in size, and the
 * request is counted and checked after its body was read.
 */
export const useAuthentication = (app: FastifyInstance, options: AuthenticationOptions): void => {
  const { actorOf } = options
  const { refuseOverLimit, countRequest } = createRequestCounter(app, options)
  const checkedRequests = new WeakSet<FastifyRequest>()

  const setActor = async (request: FastifyRequest, reply: FastifyReply, token: string) => {
    await refuseOverLimit(request, reply, token)
    request.actor = await actorOf(token)
    request.token = token
    if (request.actor) addActorToLog(request, reply, request.actor)
  }

  const checkAccess = async (request: FastifyRequest, reply: FastifyReply) => {
    checkedRequests.add(request)
    await countRequest(request, reply)
    if (isPublicRequest(request)) {
      // Public routes accept the token of a registration, but it gives no access.
      if (request.actor?.mustConfirmEmail) delete request.actor
      return
    }
    if (!request.actor) throw unauthorized(request.token)
    const message = findRestrictionMessage(request, request.actor)
    if (message) throw forbidden(message)
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!isApiRequest(request)) return
    const token = findTokenInHeaderOrQuery(request)
    removeToken(request.query)
    if (token) await setActor(request, reply, token)
    if (token || isPublicRequest(request) || !hasBody(request)) await checkAccess(request, reply)
  })

  limitAnonymousBodies(app, (request) => isApiRequest(request) && !request.actor)

  app.addHook('preValidation', async (request, reply) => {
    if (!isApiRequest(request)) return
    const token = findTokenInBody(request)
    removeToken(request.body)
    if (token && request.token) throw new Problem(400, 'Bad Request')
    if (token) await setActor(request, reply, token)
    if (!checkedRequests.has(request)) await checkAccess(request, reply)
    const { actor } = request
    if (!actor || isPublicRequest(request) || changesOnlyPassword(request)) return
    if (actor.mustChangePassword) throw forbidden(messages.mustChangePassword)
    if (actor.viewOnly) throw forbidden(messages.viewOnly)
  })
}
