import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { trialExpiredReason } from '@trunkline/contract/billing/plan-state'
import type { Actor } from '@trunkline/contract/policy/actor'
import { prepareQuery } from '../db/prepared-query'
import type { Store } from '../db/repository'
import type { Connection } from '../db/repository-options'
import { toColumnTime } from '../db/time'
import type { SessionClaims, SessionStore } from './sessions'

/** The tenant columns of a user or API key. `account_provider` is the account's current provider. */
interface CredentialRow {
  account_sid: string | null
  service_provider_sid: string | null
  account_provider: string | null
}

interface ApiKeyRow extends CredentialRow {
  api_key_sid: string
  token: string
  expires_at: string | null
}

interface SessionUserRow extends CredentialRow {
  user_sid: string
  force_change: number
  is_view_only: number
}

type Tenant =
  | { scope: 'admin' }
  | { scope: 'service_provider'; service_provider_sid: string }
  | { scope: 'account'; service_provider_sid: string; account_sid: string }

/** Derives the scope from the SIDs of a row. Undefined if the row's account no longer exists. */
const tenantOf = (row: CredentialRow): Tenant | undefined => {
  if (row.account_sid)
    return row.account_provider
      ? { scope: 'account', account_sid: row.account_sid, service_provider_sid: row.account_provider }
      : undefined
  return row.service_provider_sid
    ? { scope: 'service_provider', service_provider_sid: row.service_provider_sid }
    : { scope: 'admin' }
}

const isSameTenant = (tenant: Tenant, { account_sid, service_provider_sid }: SessionClaims): boolean =>
  (tenant.scope === 'account' ? tenant.account_sid : undefined) === account_sid &&
  (tenant.scope === 'admin' ? undefined : tenant.service_provider_sid) === service_provider_sid

/** The last use of a key is stored at most once in this time. */
const recordIntervalMs = 60_000

interface ActorOptions {
  enforcePasswordChange: boolean
  /** Whether the installation has registrations: the hosted edition. */
  acceptsRegistrants: boolean
  /** Maximum number of API keys that the server remembers as recently stored. A forgotten key is stored at its next use. */
  maxTrackedKeys?: number
}

/** The queries that run for each request. */
const prepareCredentialQueries = (db: Connection) => ({
  readApiKey: prepareQuery<[token: string], ApiKeyRow>(
    db,
    (token) => sql`
      select k.api_key_sid, k.token, k.account_sid, k.service_provider_sid, k.expires_at, a.service_provider_sid as account_provider
      from api_keys k left join accounts a on a.account_sid = k.account_sid
      where k.token = ${token} and (a.is_active is null or a.is_active = 1)`,
  ),
  readSessionUser: prepareQuery<[session_sid: string, nowSeconds: number], SessionUserRow>(
    db,
    (session_sid, nowSeconds) => sql`
      select u.user_sid, u.force_change, u.account_sid, u.service_provider_sid, a.service_provider_sid as account_provider,
        (select case when count(*) = 1 and min(p.name) = 'VIEW_ONLY' then 1 else 0 end
         from user_permissions up join permissions p on p.permission_sid = up.permission_sid
         where up.user_sid = u.user_sid) as is_view_only
      from trunkline_sessions s join users u on u.user_sid = s.user_sid left join accounts a on a.account_sid = u.account_sid
      where s.session_sid = ${session_sid} and u.is_active = 1
        and (a.is_active is null or a.is_active = 1 or a.deactivated_reason = ${trialExpiredReason})
        and s.expires_at > ${nowSeconds}`,
  ),
})

/** Finds the actor of a token. Reads the database on every request, so that a revocation takes effect at once. */
export const createActorFinder = (
  { database: { db } }: Store,
  sessions: SessionStore,
  { enforcePasswordChange, acceptsRegistrants, maxTrackedKeys = 10_000 }: ActorOptions,
) => {
  const { readApiKey, readSessionUser } = prepareCredentialQueries(db)
  const lastRecordedAt = new LRUCache<string, number>({ max: maxTrackedKeys })

  const recordUse = async (api_key_sid: string) => {
    const now = Date.now()
    if (now - (lastRecordedAt.get(api_key_sid) ?? 0) < recordIntervalMs) return
    lastRecordedAt.set(api_key_sid, now)
    // If the time of use cannot be stored, the key still works.
    await db
      .updateTable('api_keys')
      .set({ last_used: toColumnTime() })
      .where('api_key_sid', '=', api_key_sid)
      .execute()
      .catch(() => lastRecordedAt.delete(api_key_sid))
  }

  const findByApiKey = async (token: string): Promise<Actor | undefined> => {
    const [row] = await readApiKey([token])
    // MySQL compares text without case, but tokens are case-sensitive.
    if (!row || row.token !== token || (row.expires_at && row.expires_at <= toColumnTime())) return undefined
    await recordUse(row.api_key_sid)
    const tenant = tenantOf(row)
    return tenant && { ...tenant, api_key_sid: row.api_key_sid }
  }

  /**
   * The user of an active session, with the user's current tenant and permission. Users of an account whose trial has ended
   * may upgrade.
   */
  const findSessionUser = async (session_sid: string) => {
    const [row] = await readSessionUser([session_sid, Math.floor(Date.now() / 1000)])
    const tenant = row && tenantOf(row)
    if (!tenant) return undefined
    return {
      ...tenant,
      user_sid: row.user_sid,
      session_sid,
      ...(row.is_view_only ? { viewOnly: true } : {}),
      ...(enforcePasswordChange && row.force_change ? { mustChangePassword: true } : {}),
    }
  }

  /** The future user of a session that belongs to a registration without a confirmed email address. */
  const findRegistrant = async (session_sid: string) => {
    const row = await db
      .selectFrom('trunkline_sessions as s')
      .innerJoin('trunkline_registrations as r', 'r.user_sid', 's.user_sid')
      .select(['r.user_sid', 'r.account_sid', 'r.service_provider_sid'])
      .where('s.session_sid', '=', session_sid)
      .where('s.expires_at', '>', Math.floor(Date.now() / 1000))
      .executeTakeFirst()
    return row && { ...row, scope: 'account' as const, session_sid, mustConfirmEmail: true }
  }

  const findBySessionToken = async (token: string): Promise<Actor | undefined> => {
    const claims = await sessions.verify(token)
    if (!claims) return undefined
    const { session_sid } = claims
    const user =
      (await findSessionUser(session_sid)) ?? (acceptsRegistrants ? await findRegistrant(session_sid) : undefined)
    // A user who was moved to another tenant signs in again: the claims of the token name the old tenant.
    if (!user || user.user_sid !== claims.user_sid || !isSameTenant(user, claims)) return undefined
    return user
  }

  return {
    /** The actor of a token. Undefined if the token is unknown, expired or revoked. */
    async findByToken(token: string): Promise<Actor | undefined> {
      return token.includes('.') ? findBySessionToken(token) : findByApiKey(token)
    },

    /** The user of a session. Undefined if the session has ended. */
    findBySession: (session_sid: string): Promise<Actor | undefined> => findSessionUser(session_sid),
  }
}

export type ActorFinder = ReturnType<typeof createActorFinder>
