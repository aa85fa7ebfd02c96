import { sql } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../db/repository'
import { toColumnTime } from '../db/time'
import type { Claims, Sessions } from './sessions'

/** The tenancy of a credential's row. An account's provider is the one that the account has now. */
interface CredentialRow {
  account_sid: string | null
  service_provider_sid: string | null
  account_provider: string | null
}

type Tenant =
  | { scope: 'admin' }
  | { scope: 'service_provider'; service_provider_sid: string }
  | { scope: 'account'; service_provider_sid: string; account_sid: string }

/** A scope out of a row's sids; undefined when the row points at an account that is gone. */
const tenantOf = (row: CredentialRow): Tenant | undefined => {
  if (row.account_sid)
    return row.account_provider
      ? { scope: 'account', account_sid: row.account_sid, service_provider_sid: row.account_provider }
      : undefined
  return row.service_provider_sid
    ? { scope: 'service_provider', service_provider_sid: row.service_provider_sid }
    : { scope: 'admin' }
}

const isSameTenant = (tenant: Tenant, { account_sid, service_provider_sid }: Claims): boolean =>
  (tenant.scope === 'account' ? tenant.account_sid : undefined) === account_sid &&
  (tenant.scope === 'admin' ? undefined : tenant.service_provider_sid) === service_provider_sid

/** Seconds between two notes of a key's use. */
const recordIntervalSeconds = 60

/** Finds out who a token speaks for. Asked anew at each request, so that what is revoked is revoked at once. */
export const actors = (
  { database: { db } }: Store,
  sessions: Sessions,
  { enforcePasswordChange }: { enforcePasswordChange: boolean },
) => {
  const lastRecordedAt = new Map<string, number>()

  const recordUse = async (api_key_sid: string) => {
    const now = Date.now() / 1000
    if (now - (lastRecordedAt.get(api_key_sid) ?? 0) < recordIntervalSeconds) return
    lastRecordedAt.set(api_key_sid, now)
    // A note that cannot be written must not keep its key from reading.
    await db
      .updateTable('api_keys')
      .set({ last_used: toColumnTime() })
      .where('api_key_sid', '=', api_key_sid)
      .execute()
      .catch(() => lastRecordedAt.delete(api_key_sid))
  }

  const findByApiKey = async (token: string): Promise<Actor | undefined> => {
    const { rows } = await sql<CredentialRow & { api_key_sid: string; token: string; expires_at: string | null }>`
      select k.api_key_sid, k.token, k.account_sid, k.service_provider_sid, k.expires_at, a.service_provider_sid as account_provider
      from api_keys k left join accounts a on a.account_sid = k.account_sid
      where k.token = ${token} and (a.is_active is null or a.is_active = 1)`.execute(db)
    const row = rows[0]
    // MySQL compares text without case; a token has to be the very same.
    if (!row || row.token !== token || (row.expires_at && row.expires_at <= toColumnTime())) return undefined
    await recordUse(row.api_key_sid)
    const tenant = tenantOf(row)
    return tenant && { ...tenant, api_key_sid: row.api_key_sid }
  }

  /** The user of a session that has not ended, with the tenant that the user has now. */
  const findSessionUser = async (session_sid: string) => {
    const { rows } = await sql<CredentialRow & { user_sid: string; force_change: number }>`
      select u.user_sid, u.force_change, u.account_sid, u.service_provider_sid, a.service_provider_sid as account_provider
      from trunkline_sessions s join users u on u.user_sid = s.user_sid left join accounts a on a.account_sid = u.account_sid
      where s.session_sid = ${session_sid} and u.is_active = 1
        and (a.is_active is null or a.is_active = 1)
        and s.expires_at > ${Math.floor(Date.now() / 1000)}`.execute(db)
    const tenant = rows[0] && tenantOf(rows[0])
    const { user_sid, force_change } = rows[0] ?? { user_sid: '', force_change: 0 }
    const restriction = enforcePasswordChange && force_change ? { mustChangePassword: true } : {}
    return tenant && { ...tenant, user_sid, session_sid, ...restriction }
  }

  const findBySessionToken = async (token: string): Promise<Actor | undefined> => {
    const claims = await sessions.verify(token)
    const user = claims && (await findSessionUser(claims.session_sid))
    // Who was moved to another tenant signs in again: the token would go on telling the old one.
    if (!user || user.user_sid !== claims.user_sid || !isSameTenant(user, claims)) return undefined
    return { ...user, ...(claims.viewOnly ? { viewOnly: true } : {}) }
  }

  return {
    /** The actor behind a token, or undefined when the token is unknown, expired or revoked. */
    async findByToken(token: string): Promise<Actor | undefined> {
      return token.includes('.') ? findBySessionToken(token) : findByApiKey(token)
    },

    /** The user of a session, or undefined when it has ended. */
    findBySession: (session_sid: string): Promise<Actor | undefined> => findSessionUser(session_sid),
  }
}

export type Actors = ReturnType<typeof actors>
