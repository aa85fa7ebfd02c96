import { sql } from 'kysely'
import type { Client } from '@trunkline/contract/shapes/client'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { SecretEncryption } from '../../secrets/encryption'
import { obscure } from '../../secrets/obscure'

/** Shows only the first character of the password. */
const presentPassword = (vault: SecretEncryption, ciphertext: unknown) => {
  if (typeof ciphertext !== 'string') return { password: null }
  const decrypted = vault.decrypt(ciphertext)
  return decrypted.ok ? { password: obscure(decrypted.text, 1) } : { password: null, unreadable: ['password'] }
}

const callPermissions = ['allow_direct_app_calling', 'allow_direct_queue_calling', 'allow_direct_user_calling'] as const

export const clients = (store: Store, vault: SecretEncryption) => ({
  ...repository<Client>(store, {
    chain: ownerChains.client,
    sortableColumns: ['username', 'account_name', 'is_active'],
    sortExpressions: { account_name: sql`oa.name` },
    extraColumns: sql`, oa.name as account_name`,
    present: (rows) => Promise.resolve(rows.map((row) => ({ ...row, ...presentPassword(vault, row.password) }))),
  }),

  /** Whether another client of the account has this username. */
  async isDuplicateUsername(
    account_sid: string,
    username: string,
    exceptSid = '',
    connection: Connection = store.database.db,
  ) {
    const { rows } = await sql`select 1 from clients where account_sid = ${account_sid} and username = ${username}
      and client_sid <> ${exceptSid} limit 1`.execute(connection)
    return rows.length > 0
  },

  /** What the clients of an account may call without an application, by username. */
  async callPermissionsOf(account_sid: string, usernames: readonly string[]) {
    if (usernames.length === 0) return new Map<string, Record<(typeof callPermissions)[number], boolean>>()
    const rows = await store.database.db
      .selectFrom('clients')
      .select(['username', ...callPermissions])
      .where('account_sid', '=', account_sid)
      .where('username', 'in', usernames)
      .execute()
    return new Map(
      rows.map(({ username, ...row }) => [
        username ?? '',
        Object.fromEntries(callPermissions.map((permission) => [permission, row[permission] === 1])) as Record<
          (typeof callPermissions)[number],
          boolean
        >,
      ]),
    )
  },
})
