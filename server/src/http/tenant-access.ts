import { messages } from '@trunkline/contract/messages/refusal'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { strictSid } from './mount-route'
import { badRequest, tenantAccessProblem } from './problem'

/** The path segment before a tenant's SID. */
export type TenantPathSegment = 'Accounts' | 'ServiceProviders'

/** Whether the text is a well-formed SID. */
export const isSid = (text: string): boolean => strictSid.safeParse(text).success

/** Throws 400 for a malformed SID. Administrators may access every tenant, so they get the usual message. */
export const checkTenantSidFormat = (actor: Actor, segment: TenantPathSegment, sid: string): void => {
  if (isSid(sid)) return
  throw actor.scope === 'admin' ? badRequest('Bad request') : tenantAccessProblem(400, `invalid ${segment}Sid format`)
}

/** Throws 403 unless the policy permits the action for the tenant in the path. Runs before any record is read. */
export const checkTenantAccess = (actor: Actor, action: Action, kind: Kind, owner?: Owner): void => {
  if (!can(actor, action, kind, owner)) throw tenantAccessProblem(403, messages.insufficientPrivileges)
}
