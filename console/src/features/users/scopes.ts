import { scopeRank, type Actor, type Scope } from '@trunkline/contract/policy/actor'

/** The display names of the scopes. */
export const scopeNames: Record<Scope, string> = {
  admin: 'Admin',
  service_provider: 'Service provider',
  account: 'Account',
}

/** Returns the display name of a scope, or an unknown scope unchanged. */
export const getScopeName = (scope: string): string => (scope in scopeNames ? scopeNames[scope as Scope] : scope)

const allScopes = Object.keys(scopeNames) as Scope[]

/** The scopes that the actor may see and assign: their own and below. */
export const listAssignableScopes = (actor: Actor): { value: Scope; label: string }[] =>
  allScopes
    .filter((scope) => scopeRank[scope] <= scopeRank[actor.scope])
    .map((scope) => ({ value: scope, label: scopeNames[scope] }))
