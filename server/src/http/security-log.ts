import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'

/** What happened. Searches and alerts of operators rely on these names, so they stay as they are. */
export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_in_locked'
  | 'sign_out'
  | 'password_changed'
  | 'role_changed'
  | 'user_created'
  | 'user_deleted'
  | 'api_key_created'
  | 'api_key_deleted'
  | 'account_deleted'
  | 'service_provider_deleted'
  | 'access_refused'
  | 'write_refused'

/** What the event is about. Sids and fixed words only: names that people type may hold their passwords. */
export interface SecurityDetails {
  /** The user or key that is signed in, changed or deleted, where that is not who asks. */
  target_sid?: string
  /** The tenant of the target. */
  target_account_sid?: string | null
  target_service_provider_sid?: string | null
  reason?: string
}

const warningEvents: ReadonlySet<SecurityEvent> = new Set([
  'sign_in_failed',
  'sign_in_locked',
  'access_refused',
  'write_refused',
])

/** Who asks, as far as a log line needs it. */
const actorFields = ({ scope, user_sid, api_key_sid, ...tenant }: Actor) => ({
  ...(user_sid ? { user_sid } : {}),
  ...(api_key_sid ? { api_key_sid } : {}),
  scope,
  ...('service_provider_sid' in tenant ? { service_provider_sid: tenant.service_provider_sid } : {}),
  ...('account_sid' in tenant ? { account_sid: tenant.account_sid } : {}),
})

/** Lets every further log line of a request say who sent it. */
export const addActorToLog = (request: FastifyRequest, reply: FastifyReply, actor: Actor): void => {
  request.log = request.log.child(actorFields(actor))
  reply.log = request.log
}

/**
 * Writes an event of security to the log, with the address that it came from; who asked is in each line of the request.
 * What was refused is a warning, everything else is information.
 */
export const logSecurityEvent = (
  request: FastifyRequest,
  event: SecurityEvent,
  details: SecurityDetails = {},
): void => {
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const line = { security_event: event, ip: request.ip, call: route, ...details }
  if (warningEvents.has(event)) request.log.warn(line, 'security event')
  else request.log.info(line, 'security event')
}
