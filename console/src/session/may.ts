import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { featureFlags } from '../lib/feature-flags'

/** What an account is no longer offered where carriers are its provider's business. */
const provisioning: Partial<Record<Kind, readonly Action[]>> = {
  voip_carrier: ['create'],
  phone_number: ['create', 'remove'],
}

/** May this person do it: by the policy, and by what the installation leaves to accounts? */
export const may = (actor: Actor, action: Action, kind: Kind, owner?: Owner): boolean => {
  if (featureFlags().adminCarrier && actor.scope === 'account' && provisioning[kind]?.includes(action)) return false
  return can(actor, action, kind, owner)
}
