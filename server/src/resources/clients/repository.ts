import { sql } from 'kysely'
import type { Client } from '@trunkline/contract/shapes/client'
import { chains } from '../../db/tenancy'
import { table, type Connection, type Store } from '../../db/table'
import type { Vault } from '../../secrets/encryption'
import { obscure } from '../../secrets/obscure'

/** Of a client's password only the first character is shown. */
const shown = (vault: Vault, stored: unknown): string | null => {
  if (typeof stored !== 'string') return null
  const opened = vault.open(stored)
  return opened.ok ? obscure(opened.text, 1) : null
}

export const clients = (store: Store, vault: Vault) => ({
  ...table<Client>(store, {
    chain: chains.client,
    sortable: ['username', 'account_name', 'is_active'],
    named: { account_name: sql`oa.name` },
    extra: sql`, oa.name as account_name`,
    present: (rows) => Promise.resolve(rows.map((row) => ({ ...row, password: shown(vault, row.password) }))),
  }),

  /** Has another client of the account this user name? */
  async taken(account_sid: string, username: string, except = '', connection: Connection = store.database.db) {
    const { rows } = await sql`select 1 from clients where account_sid = ${account_sid} and username = ${username}
      and client_sid <> ${except} limit 1`.execute(connection)
    return rows.length > 0
  },
})
