import { chains } from '../../db/tenancy'
import { table, type Row, type Store } from '../../db/table'

/** A row of users as the server needs it; what of it may leave is said by the shape of each answer. */
export interface StoredUser extends Row {
  user_sid: string
  name: string
  email: string
  provider: string
  hashed_password: string | null
  account_sid: string | null
  service_provider_sid: string | null
  force_change: number
  is_active: number
}

export const users = (store: Store) => {
  const { db } = store.database
  return {
    ...table<StoredUser>(store, { chain: chains.user, sortable: ['name', 'email'] }),

    /** A user by login name. MySQL compares without case, SQLite does not: the very same name counts. */
    async byName(name: string): Promise<StoredUser | undefined> {
      const rows = await db.selectFrom('users').selectAll().where('name', '=', name).execute()
      return rows.find((row) => row.name === name)
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
  }
}

export type Users = ReturnType<typeof users>
