import { messages } from '@trunkline/contract/messages/refusal'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { strictSid } from './mount-route'
import { badRequest, gateProblem } from './problem'

/** The path segment before a tenant's SID. */
export type Segment = 'Accounts' | 'ServiceProviders'

/** Whether the text is a well-formed SID. */
export const isSid = (text: string): boolean => strictSid.safeParse(text).success

/** Throws 400 for a malformed SID: with the gate's message or, for administrators, whom the gate does not stop, with the usual one. */
export const checkSidFormat = (actor: Actor, segment: Segment, sid: string): void => {
  if (isSid(sid)) return
  throw actor.scope === 'admin' ? badRequest('Bad request') : gateProblem(400, `invalid ${segment}Sid format`)
}

/** Throws 403 unless the policy permits the action. Runs before any record is read. */
export const passGate = (actor: Actor, action: Action, kind: Kind, owner?: Owner): void => {
  if (!can(actor, action, kind, owner)) throw gateProblem(403, messages.insufficientPrivileges)
}
