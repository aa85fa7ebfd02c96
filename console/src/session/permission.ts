import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action, Kind } from '@trunkline/contract/policy/policy'
import { featureFlags } from '../lib/feature-flags'

/** Actions that accounts lose with the feature flag `adminCarrier`: then the provider manages carriers and numbers. */
const providerOnlyActions: Partial<Record<Kind, readonly Action[]>> = {
  voip_carrier: ['create'],
  phone_number: ['create', 'remove'],
}

/** Is this action allowed by the policy and by the installation's feature flags? */
export const hasPermission = (actor: Actor, action: Action, kind: Kind, owner?: Owner): boolean => {
  if (featureFlags().adminCarrier && actor.scope === 'account' && providerOnlyActions[kind]?.includes(action))
    return false
  return can(actor, action, kind, owner)
}
