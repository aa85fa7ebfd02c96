import type { Kysely } from 'kysely'
import { generatePassword, uuid } from '../secrets/ids'
import { platformHashCost, hashPassword } from '../secrets/password'
import type { PasswordCost } from '../secrets/password'
import { inExclusiveTransaction } from './exclusive-transaction'
import type { Tables } from './schema'
import { publishedTokens } from './seed-data'

export interface AdminOptions {
  /** The first password. If absent, one is generated and returned. */
  password?: string
  /** A token (UUID) to add as an admin API key. */
  apiKey?: string
  /** Tests use a lower hash cost. */
  cost?: PasswordCost
}

export interface SeededAdmin {
  /** The new user; absent if an admin already existed. */
  user_sid?: string
  /** The generated password: shown once, stored only as a hash. Absent if `options` had one. */
  password?: string
  /** Whether the API key was added. */
  isApiKeyAdded: boolean
}

const addAdmin = async (db: Kysely<Tables>, password: string, cost: PasswordCost): Promise<string> => {
  const user_sid = uuid()
  await db
    .insertInto('users')
    .values({
      user_sid,
      name: 'admin',
      // The column cannot be null. The console asks for an address at the first sign-in.
      email: '',
      provider: 'local',
      hashed_password: await hashPassword(password, cost),
      force_change: 1,
      email_validated: 0,
    })
    .execute()
  const permissions = await db.selectFrom('permissions').select('permission_sid').execute()
  for (const { permission_sid } of permissions) {
    await db.insertInto('user_permissions').values({ user_permissions_sid: uuid(), user_sid, permission_sid }).execute()
  }
  return user_sid
}

const addApiKey = async (db: Kysely<Tables>, token: string): Promise<boolean> => {
  const existing = await db.selectFrom('api_keys').select('api_key_sid').where('token', '=', token).executeTakeFirst()
  if (existing) return false
  await db.insertInto('api_keys').values({ api_key_sid: uuid(), token }).execute()
  return true
}

/** Creates the user `admin` unless an admin exists, and the requested admin API key unless it exists. */
export const seedAdmin = (db: Kysely<Tables>, options: AdminOptions = {}): Promise<SeededAdmin> =>
  inExclusiveTransaction(db, async (tx) => {
    const { password = generatePassword(), apiKey, cost = platformHashCost } = options
    const isApiKeyAdded = apiKey ? await addApiKey(tx, apiKey) : false
    const admin = await tx
      .selectFrom('users')
      .select('user_sid')
      .where('account_sid', 'is', null)
      .where('service_provider_sid', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (admin) return { isApiKeyAdded }
    const user_sid = await addAdmin(tx, password, cost)
    return { user_sid, isApiKeyAdded, ...(options.password === undefined ? { password } : {}) }
  })

/** The username of the admin to show at the start: `admin`, or the first active admin by name. */
export const findAdminName = async (db: Kysely<Tables>): Promise<string> => {
  const rows = await db
    .selectFrom('users')
    .select('name')
    .where('account_sid', 'is', null)
    .where('service_provider_sid', 'is', null)
    .where('is_active', '=', 1)
    .orderBy('name')
    .execute()
  return rows.find(({ name }) => name === 'admin')?.name ?? rows[0]?.name ?? 'admin'
}

/** API keys with publicly known tokens. An installation should delete them. */
export const findPublishedTokens = (
  db: Kysely<Tables>,
): Promise<{ api_key_sid: string; account_sid: string | null; service_provider_sid: string | null }[]> =>
  db
    .selectFrom('api_keys')
    .select(['api_key_sid', 'account_sid', 'service_provider_sid'])
    .where('token', 'in', publishedTokens)
    .orderBy('api_key_sid')
    .execute()
