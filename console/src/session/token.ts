import type { Actor } from '@trunkline/contract/policy/actor'

/** The content of a sign-in token. */
export interface Session {
  actor: Actor
  name: string
}

interface Claims {
  scope?: unknown
  user_sid?: unknown
  account_sid?: unknown
  service_provider_sid?: unknown
  name?: unknown
  is_view_only?: unknown
}

const parseClaims = (token: string): Claims | undefined => {
  const payload = token.split('.')[1]
  if (!payload) return undefined
  try {
    const bytes = Uint8Array.from(atob(payload.replace(/-/g, '+').replace(/_/g, '/')), (char) => char.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims === 'object' && claims !== null ? claims : undefined
  } catch {
    return undefined
  }
}

const toNonEmptyString = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

const toActor = (claims: Claims): Actor | undefined => {
  const user = {
    ...(toNonEmptyString(claims.user_sid) ? { user_sid: toNonEmptyString(claims.user_sid) } : {}),
    ...(claims.is_view_only === true ? { viewOnly: true } : {}),
  }
  const service_provider_sid = toNonEmptyString(claims.service_provider_sid)
  const account_sid = toNonEmptyString(claims.account_sid)
  if (claims.scope === 'admin') return { ...user, scope: 'admin' }
  if (claims.scope === 'service_provider' && service_provider_sid)
    return { ...user, scope: 'service_provider', service_provider_sid }
  if (claims.scope === 'account' && service_provider_sid && account_sid)
    return { ...user, scope: 'account', service_provider_sid, account_sid }
  return undefined
}

/** Decodes a sign-in token. Returns undefined if it is unreadable or unusable. Only the server verifies it. */
export const decodeToken = (token: string | null): Session | undefined => {
  const claims = token ? parseClaims(token) : undefined
  const actor = claims && toActor(claims)
  if (!claims || !actor) return undefined
  return { actor, name: toNonEmptyString(claims.name) ?? '' }
}
