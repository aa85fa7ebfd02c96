import type { Actor } from '@trunkline/contract/policy/actor'

/** The content of a sign-in token. */
export interface Session {
  actor: Actor
  name: string
  permissions: string[]
}

interface Claims {
  scope?: unknown
  user_sid?: unknown
  account_sid?: unknown
  service_provider_sid?: unknown
  name?: unknown
  permissions?: unknown
  is_view_only?: unknown
}

const claimsOf = (token: string): Claims | undefined => {
  const payload = token.split('.')[1]
  if (!payload) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? claims : undefined
  } catch {
    return undefined
  }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const actorOf = (claims: Claims): Actor | undefined => {
  const who = {
    ...(text(claims.user_sid) ? { user_sid: text(claims.user_sid) } : {}),
    ...(claims.is_view_only === true ? { viewOnly: true } : {}),
  }
  const provider = text(claims.service_provider_sid)
  const account = text(claims.account_sid)
  if (claims.scope === 'admin') return { ...who, scope: 'admin' }
  if (claims.scope === 'service_provider' && provider)
    return { ...who, scope: 'service_provider', service_provider_sid: provider }
  if (claims.scope === 'account' && provider && account)
    return { ...who, scope: 'account', service_provider_sid: provider, account_sid: account }
  return undefined
}

/** Decodes a sign-in token. Returns undefined if it is unreadable or unusable. Only the server verifies it. */
export const decodeToken = (token: string | null): Session | undefined => {
  const claims = token ? claimsOf(token) : undefined
  const actor = claims && actorOf(claims)
  if (!claims || !actor) return undefined
  const permissions = Array.isArray(claims.permissions) ? claims.permissions : []
  return { actor, name: text(claims.name) ?? '', permissions: permissions.filter((each) => typeof each === 'string') }
}
