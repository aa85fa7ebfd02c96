import { messages } from '@trunkline/contract/messages/refusal'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { strictSid } from './mount-route'
import { badRequest, gateProblem } from './problem'

/** The part of a path that is followed by a tenant's sid. */
export type Segment = 'Accounts' | 'ServiceProviders'

/** Has this text the form of a sid? */
export const isSid = (text: string): boolean => strictSid.safeParse(text).success

/** A malformed sid is told by the gate to whom it stops, and as everywhere to administrators, whom it lets through. */
export const checkSidFormat = (actor: Actor, segment: Segment, sid: string): void => {
  if (isSid(sid)) return
  throw actor.scope === 'admin' ? badRequest('Bad request') : gateProblem(400, `invalid ${segment}Sid format`)
}

/** Stops whom the policy does not let through, before anything of what lies behind is looked up. */
export const passGate = (actor: Actor, action: Action, kind: Kind, owner?: Owner): void => {
  if (!can(actor, action, kind, owner)) throw gateProblem(403, messages.insufficientPrivileges)
}
