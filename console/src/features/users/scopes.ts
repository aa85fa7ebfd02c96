import { scopeRank, type Actor, type Scope } from '@trunkline/contract/policy/actor'

/** What each scope is called. */
export const scopeWords: Record<Scope, string> = {
  admin: 'Admin',
  service_provider: 'Service provider',
  account: 'Account',
}

/** The words of a scope; one that is not known is called as it is. */
export const sayScope = (scope: string): string => (scope in scopeWords ? scopeWords[scope as Scope] : scope)

const all = Object.keys(scopeWords) as Scope[]

/** The scopes that somebody meets among users, and may give to one: none above the own. */
export const scopesFor = (actor: Actor): { value: Scope; label: string }[] =>
  all
    .filter((scope) => scopeRank[scope] <= scopeRank[actor.scope])
    .map((scope) => ({ value: scope, label: scopeWords[scope] }))
