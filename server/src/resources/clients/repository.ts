import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Client } from '@trunkline/contract/shapes/client'
import { splitIntoBatches } from '../../db/batches'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { SecretEncryption } from '../../secrets/encryption'
import { obscure } from '../../secrets/obscure'

/** The password with all but its first character masked. Null if there is none or it cannot be decrypted. */
const toMaskedPassword = (encryption: SecretEncryption, ciphertext: unknown) => {
  if (typeof ciphertext !== 'string') return { password: null }
  const decryption = encryption.decrypt(ciphertext)
  return decryption.ok ? { password: obscure(decryption.text, 1) } : { password: null, unreadable: ['password'] }
}

const callPermissionColumns = [
  'allow_direct_app_calling',
  'allow_direct_queue_calling',
  'allow_direct_user_calling',
] as const

/** Whether a client may call applications, queues and users directly. */
type CallPermissions = Record<(typeof callPermissionColumns)[number], boolean>

export const createClientRepository = (store: Store, encryption: SecretEncryption) => ({
  ...createRepository<Client>(store, {
    ownership: ownershipByKind.client,
    sortableColumns: ['username', 'account_name', 'is_active'],
    sortExpressions: { account_name: sql`accounts.name` },
    extraColumns: sql`, accounts.name as account_name`,
    toContractRows: (rows) =>
      Promise.resolve(rows.map((row) => ({ ...row, ...toMaskedPassword(encryption, row.password) }))),
  }),

  /** Whether another client of the account has this username. */
  async isDuplicateUsername(
    account_sid: string,
    username: string,
    exceptSid = '',
    connection: Connection = store.database.db,
  ): Promise<boolean> {
    const { rows } = await sql`select 1 from clients where account_sid = ${account_sid} and username = ${username}
      and client_sid <> ${exceptSid} limit 1`.execute(connection)
    return rows.length > 0
  },

  /** The call permissions of an account's clients, by username. */
  async callPermissionsOf(account_sid: string, usernames: readonly string[]): Promise<Map<string, CallPermissions>> {
    const permissionsByUsername = new Map<string, CallPermissions>()
    for (const batch of splitIntoBatches(usernames)) {
      await yieldToEventLoop()
      const rows = await store.database.db
        .selectFrom('clients')
        .select(['username', ...callPermissionColumns])
        .where('account_sid', '=', account_sid)
        .where('username', 'in', batch)
        .execute()
      for (const { username, ...row } of rows) {
        const permissions = callPermissionColumns.map((column) => [column, row[column] === 1])
        permissionsByUsername.set(username ?? '', Object.fromEntries(permissions) as CallPermissions)
      }
    }
    return permissionsByUsername
  },
})
