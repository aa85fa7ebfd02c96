import { scopeRank, type Actor, type Scope } from '@trunkline/contract/policy/actor'

/** The display names of the scopes. */
export const scopeWords: Record<Scope, string> = {
  admin: 'Admin',
  service_provider: 'Service provider',
  account: 'Account',
}

/** Returns the display name of a scope, or an unknown scope unchanged. */
export const sayScope = (scope: string): string => (scope in scopeWords ? scopeWords[scope as Scope] : scope)

const all = Object.keys(scopeWords) as Scope[]

/** The scopes that the actor may see and assign: their own and below. */
export const scopesFor = (actor: Actor): { value: Scope; label: string }[] =>
  all
    .filter((scope) => scopeRank[scope] <= scopeRank[actor.scope])
    .map((scope) => ({ value: scope, label: scopeWords[scope] }))
