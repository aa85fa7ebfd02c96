/** Who is asking. The union cannot express an actor whose tenant is unknown, so null never equals null (an unowned row is nobody's). */
export type Actor =
  | (Credential & { scope: 'admin' })
  | (Credential & { scope: 'service_provider'; service_provider_sid: string })
  | (Credential & { scope: 'account'; service_provider_sid: string; account_sid: string })

interface Credential {
  /** Absent when an API key asks. */
  user_sid?: string
  /** Absent when a user asks. */
  api_key_sid?: string
  /** The session of a signed-in user, by which it can be ended alone. */
  session_sid?: string
  /** May read everything in reach and change nothing. */
  viewOnly?: boolean
  /** May do nothing but change the own password and sign out, where the installation enforces it. */
  mustChangePassword?: boolean
}

export type Scope = Actor['scope']

/** Who owns a record. Null account: the provider's own; both null: the platform's. */
export interface Owner {
  service_provider_sid: string | null
  account_sid: string | null
}

/** The order of the scopes, as the specification numbers them. */
export const scopeRank: Record<Scope, number> = { account: 0, service_provider: 1, admin: 2 }

/** The scope of a user out of whose it is: of an account, of a provider, or an administrator, who is nobody's. */
export const scopeOf = ({ service_provider_sid, account_sid }: Owner): Scope => {
  if (account_sid) return 'account'
  return service_provider_sid ? 'service_provider' : 'admin'
}
