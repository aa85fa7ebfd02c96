import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '@trunkline/contract/policy/actor'
import { RequestLogger } from './request-logger'

/** Operators search and alert on these names, so they must not change. */
export type SecurityEvent =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_in_locked'
  | 'sign_in_changed'
  | 'sign_out'
  | 'password_changed'
  | 'role_changed'
  | 'registration_started'
  | 'account_registered'
  | 'activation_failed'
  | 'invite_codes_created'
  | 'user_created'
  | 'user_deleted'
  | 'api_key_created'
  | 'api_key_deleted'
  | 'account_deleted'
  | 'plan_changed'
  | 'sip_realm_changed'
  | 'subscription_changed'
  | 'payment_refused'
  | 'service_provider_deleted'
  | 'access_refused'
  | 'write_refused'

/** Contains only SIDs and fixed words: people sometimes type a password into a name field. */
export interface SecurityDetails {
  /** The user or key that was signed in, changed or deleted, if it is not the actor. */
  target_sid?: string
  /** The tenant of the target. */
  target_account_sid?: string | null
  target_service_provider_sid?: string | null
  reason?: string
}

const warningEvents: ReadonlySet<SecurityEvent> = new Set([
  'sign_in_failed',
  'sign_in_locked',
  'activation_failed',
  'payment_refused',
  'access_refused',
  'write_refused',
])

const toLogFields = ({ scope, user_sid, api_key_sid, ...tenant }: Actor) => ({
  ...(user_sid ? { user_sid } : {}),
  ...(api_key_sid ? { api_key_sid } : {}),
  scope,
  ...('service_provider_sid' in tenant ? { service_provider_sid: tenant.service_provider_sid } : {}),
  ...('account_sid' in tenant ? { account_sid: tenant.account_sid } : {}),
})

/** Adds the actor to all further log lines of a request. */
export const addActorToLog = (request: FastifyRequest, reply: FastifyReply, actor: Actor): void => {
  if (request.log instanceof RequestLogger) return request.log.addFields(toLogFields(actor))
  request.log = request.log.child(toLogFields(actor))
  reply.log = request.log
}

/**
 * Logs a security event with the client's IP address. The actor is already in the request's log context. Refusals are logged
 * as warnings, other events as information.
 */
export const logSecurityEvent = (
  request: FastifyRequest,
  event: SecurityEvent,
  details: SecurityDetails = {},
): void => {
  const route = `${request.method} ${request.routeOptions.url ?? ''}`
  const line = { security_event: event, ip: request.ip, route, ...details }
  if (warningEvents.has(event)) request.log.warn(line, 'security event')
  else request.log.info(line, 'security event')
}
