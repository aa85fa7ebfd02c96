import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { getFeatureFlags } from '../lib/feature-flags'

/** Actions that the server refuses to accounts if the feature flag `adminCarrier` is on. */
const providerOnlyActions: Partial<Record<Kind, readonly Action[]>> = {
  voip_carrier: ['create', 'update', 'remove'],
  phone_number: ['create'],
}

/** Is this action allowed by the policy and by the installation's feature flags? */
export const hasPermission = (actor: Actor, action: Action, kind: Kind, owner?: Owner): boolean => {
  if (getFeatureFlags().adminCarrier && actor.scope === 'account' && providerOnlyActions[kind]?.includes(action))
    return false
  return can(actor, action, kind, owner)
}
