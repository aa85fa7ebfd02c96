/**
 * The user or API key that makes a request. The union cannot express an actor without a known tenant, so a null owner
 * never matches a null tenant: unowned rows belong to nobody.
 */
export type Actor =
  | (Credential & { scope: 'admin' })
  | (Credential & { scope: 'service_provider'; service_provider_sid: string })
  | (Credential & { scope: 'account'; service_provider_sid: string; account_sid: string })

interface Credential {
  /** Absent if the actor is an API key. */
  user_sid?: string
  /** Absent if the actor is a user. */
  api_key_sid?: string
  /** The session of a signed-in user, so that sign-out can end this session only. */
  session_sid?: string
  /** May read everything in reach and change nothing. */
  viewOnly?: boolean
  /** May only change the password and sign out, if the installation enforces password changes. */
  mustChangePassword?: boolean
  /** Has registered and may only confirm the email address and sign out. The account does not exist yet. */
  mustConfirmEmail?: boolean
}

export type Scope = Actor['scope']

/** The owner of a record. If `account_sid` is null, the provider owns it; if both are null, the platform owns it. */
export interface Owner {
  service_provider_sid: string | null
  account_sid: string | null
}

/** The order of the scopes, with the numbers of the specification. */
export const scopeRank: Record<Scope, number> = { account: 0, service_provider: 1, admin: 2 }

/** The scope of a user, derived from the user's owner. Administrators have no owner. */
export const getScope = ({ service_provider_sid, account_sid }: Owner): Scope => {
  if (account_sid) return 'account'
  return service_provider_sid ? 'service_provider' : 'admin'
}
