import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { messages } from '@trunkline/contract/messages/session'
import { prefix } from './bind'
import { fingerprint, tokenOf, unauthorized, withoutToken } from './credentials'
import { forbidden, Problem } from './problem'

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

/** The writes that a view-only user may still do: its own password and its own leaving. */
const allowedToViewers = ({ method, routeOptions, params, actor, body }: FastifyRequest): boolean => {
  if (method === 'GET' || method === 'HEAD') return true
  const path = routeOptions.url?.slice(prefix.length)
  if (path === '/logout' || path === '/change-password') return true
  const own = (params as { user_sid?: string }).user_sid === actor?.user_sid
  const fields = Object.keys(body ?? {})
  return (
    path === '/Users/:user_sid' && own && fields.every((field) => field === 'old_password' || field === 'new_password')
  )
}

/**
 * Finds out who asks, counts the request against that credential (or, without one, against the address), and refuses
 * who may not come in. After the body is read, because a token may travel in it; before anything is validated.
 */
export const useAuthentication = (app: FastifyInstance, { actorOf, limit }: Options): void => {
  const count =
    limit &&
    app.createRateLimit({
      max: limit.max,
      timeWindow: limit.minutes * 60_000,
      // By credential, so that one tenant cannot use up what another may ask.
      keyGenerator: (request) => (request.actor && request.token ? fingerprint(request.token) : request.ip),
    })

  app.addHook('preValidation', async (request, reply) => {
    if (!isCall(request)) return
    const token = tokenOf(request)
    withoutToken(request)
    if (token) {
      request.actor = await actorOf(token)
      request.token = token
    }
    if (count) {
      const used = await count(request)
      if (!used.isAllowed) {
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
    if (request.routeOptions.config.open) return
    if (!request.actor) throw unauthorized(token)
    if (request.actor.viewOnly && !allowedToViewers(request)) throw forbidden(messages.viewOnly)
  })
}
