import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { ownershipByKind } from '../../db/tenancy'
import { equalsText, createRepository, type Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'

/** A row of the table `users`. The shape of each response decides which columns are returned. */
export interface StoredUser extends Row {
  user_sid: string
  name: string
  email: string
  pending_email: string | null
  provider: string
  hashed_password: string | null
  account_sid: string | null
  service_provider_sid: string | null
  force_change: number
  is_active: number
  /** Only present if the row was read with its account and provider. */
  account_name?: string | null
  service_provider_name?: string | null
  phone: string | null
  provider_userid: string | null
  /** Unused: the tenant columns determine the scope. */
  scope: string
  phone_validated: number
  email_validated: number
}

const scopeExpression = sql`case when t.account_sid is not null then 'account' when t.service_provider_sid is not null then 'service_provider' else 'admin' end`

export const createUserRepository = (store: Store) => {
  const { db } = store.database
  const baseRepository = createRepository<StoredUser>(store, {
    ownership: ownershipByKind.user,
    sortableColumns: ['name', 'email', 'scope', 'account_name', 'is_active', 'force_change'],
    // Users of a provider are sorted by the provider's name.
    sortExpressions: { scope: scopeExpression, account_name: sql`coalesce(accounts.name, service_providers.name)` },
    extraColumns: sql`, accounts.name as account_name, service_providers.name as service_provider_name`,
    extraJoins: sql`left join service_providers on service_providers.service_provider_sid = ${ownershipByKind.user.provider}`,
  })
  return {
    ...baseRepository,

    /** Deletes a user with the saved views, which no one else can see. */
    async remove(user_sid: string, connection: Connection = db): Promise<void> {
      await connection.deleteFrom('trunkline_saved_views').where('user_sid', '=', user_sid).execute()
      await baseRepository.remove(user_sid, connection)
    },

    /** Finds a user by name. MySQL ignores case, SQLite does not: only an exact match counts. */
    async findByName(name: string): Promise<StoredUser | undefined> {
      const rows = await db.selectFrom('users').selectAll().where('name', '=', name).execute()
      return rows.find((row) => row.name === name)
    },

    /**
     * Locks changes that depend on other users: unique names, the last administrator. The table `users` has no unique key
     * for names, so the lock is on rows of another table, which always exist.
     */
    async lockUsers(tx: Connection): Promise<void> {
      await sql`update permissions set permission_sid = permission_sid`.execute(tx)
    },

    /** Whether another user has this value. */
    async isDuplicate(
      column: 'name' | 'email' | 'phone',
      value: string,
      exceptSid = '',
      connection: Connection = db,
    ): Promise<boolean> {
      const { rows } = await sql<Row>`select user_sid from users
        where ${equalsText(sql.ref(column), value)} and user_sid <> ${exceptSid} limit 1`.execute(connection)
      return rows.length > 0
    },

    /** Whether a user of the account has this value. */
    async isDuplicateInAccount(column: 'email' | 'phone', value: string, account_sid: string): Promise<boolean> {
      const { rows } = await sql<Row>`select user_sid from users
        where ${equalsText(sql.ref(column), value)} and account_sid = ${account_sid} limit 1`.execute(db)
      return rows.length > 0
    },

    /** Whether there is another active administrator. */
    async hasOtherAdmin(user_sid: string, connection: Connection): Promise<boolean> {
      const { rows } = await sql<Row>`select user_sid from users where account_sid is null
        and service_provider_sid is null and is_active = 1 and user_sid <> ${user_sid} limit 1`.execute(connection)
      return rows.length > 0
    },

    /** Users with this address, in any case. In an existing database several users may share one. */
    async findByEmail(email: string): Promise<StoredUser[]> {
      const { rows } =
        await sql<StoredUser>`select * from users where ${equalsText(sql`email`, email)} limit 5`.execute(db)
      // MySQL ignores accents, but an accent makes a different address.
      return rows.filter((row) => row.email.toLowerCase() === email.toLowerCase())
    },

    /** The names of a user's permissions. */
    async permissionsOf(user_sid: string): Promise<string[]> {
      const rows = await db
        .selectFrom('user_permissions')
        .innerJoin('permissions', 'permissions.permission_sid', 'user_permissions.permission_sid')
        .select('permissions.name')
        .where('user_sid', '=', user_sid)
        .execute()
      return rows.map(({ name }) => name)
    },

    /** Sets or clears the view-only permission. Setting it removes all others, because only users without others are view-only. */
    async setViewOnly(user_sid: string, isViewOnly: boolean, connection: Connection): Promise<void> {
      const { permission_sid } = await connection
        .selectFrom('permissions')
        .select('permission_sid')
        .where('name', '=', 'VIEW_ONLY')
        .executeTakeFirstOrThrow()
      const storedPermissions = connection.deleteFrom('user_permissions').where('user_sid', '=', user_sid)
      await (isViewOnly ? storedPermissions : storedPermissions.where('permission_sid', '=', permission_sid)).execute()
      if (!isViewOnly) return
      await connection
        .insertInto('user_permissions')
        .values({ user_permissions_sid: randomUUID(), user_sid, permission_sid })
        .execute()
    },
  }
}

export type Users = ReturnType<typeof createUserRepository>
