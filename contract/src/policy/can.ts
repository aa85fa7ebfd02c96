import type { Actor, Owner } from './actor'
import { policy, sharedKinds, type Action, type Kind, type Rule } from './policy'

const noOwner: Owner = { service_provider_sid: null, account_sid: null }

const writeActions: ReadonlySet<Action> = new Set<Action>(['create', 'update', 'remove'])

/** Whether the actor may do this to a record with this owner. Actions that the policy does not list are refused. */
export const can = (actor: Actor, action: Action, kind: Kind, owner: Owner = noOwner): boolean => {
  if (actor.viewOnly && writeActions.has(action)) return false
  const rule = (policy[kind] as Partial<Record<Action, Rule>>)[action]
  return rule !== undefined && rule(actor, owner)
}

/**
 * Tenancy as a row filter: all rows, one provider, or one account, with or without the records that its provider
 * shares.
 */
export type Reach = { all: true } | { service_provider_sid: string } | { account_sid: string; sharedBy?: string }

/** Every row. For lookups after which the caller checks the permission itself. */
export const fullReach: Reach = { all: true }

/** The rows of a kind that an actor's lists contain. Lists use the same tenancy as the policy. */
export const getReach = (actor: Actor, kind: Kind): Reach => {
  if (actor.scope === 'admin') return fullReach
  if (actor.scope === 'service_provider') return { service_provider_sid: actor.service_provider_sid }
  const accountReach = { account_sid: actor.account_sid }
  return sharedKinds.has(kind) ? { ...accountReach, sharedBy: actor.service_provider_sid } : accountReach
}
