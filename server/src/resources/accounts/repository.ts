import { sql } from 'kysely'
import type { Account } from '@trunkline/contract/shapes/account'
import { chains } from '../../db/tenancy'
import { reads, table, type Connection, type Row, type Store } from '../../db/table'
import { obscureCredential } from '../../secrets/bucket'
import type { Vault } from '../../secrets/encryption'
import type { Webhooks } from '../webhooks/service'

export const accountHooks = ['registration_hook', 'queue_event_hook'] as const

/** An account as the repository gives it: the contract's row, and the sids of its hooks. */
export type StoredAccount = Account & { registration_hook_sid: string | null; queue_event_hook_sid: string | null }

/** The credential of a bucket as it may be shown. One that cannot be read is not shown at all. */
const shownCredential = (vault: Vault, stored: unknown) => {
  if (typeof stored !== 'string') return { bucket_credential: null }
  const opened = vault.openJson(stored)
  return opened.ok
    ? { bucket_credential: obscureCredential(opened.value) }
    : { bucket_credential: null, unreadable: ['bucket_credential'] }
}

const withoutSid = (hook: unknown) => {
  if (hook === null || typeof hook !== 'object') return hook
  const { url, method, username, password } = hook as Row
  return { url, method, username, password }
}

export const accounts = (store: Store, vault: Vault, webhooks: Webhooks) => {
  const { db } = store.database
  const rows = table<StoredAccount>(store, {
    chain: chains.account,
    sortable: ['name', 'sip_realm', 'plan_type', 'is_active', 'created_at', 'record_format'],
    present: async (found, connection) =>
      (await webhooks.attach(found, accountHooks, connection)).map((row) => ({
        ...row,
        registration_hook: withoutSid(row.registration_hook),
        queue_event_hook: withoutSid(row.queue_event_hook),
        ...shownCredential(vault, row.bucket_credential),
      })),
  })

  return {
    ...rows,

    /** The provider of an account, or undefined when there is no such account. */
    async providerOf(account_sid: string, connection: Connection = db): Promise<string | undefined> {
      const row = await connection
        .selectFrom('accounts')
        .select('service_provider_sid')
        .where('account_sid', '=', account_sid)
        .executeTakeFirst()
      return row?.service_provider_sid
    },

    /** The sids of all accounts of a provider. */
    async sidsBelow(service_provider_sid: string): Promise<string[]> {
      const found = await db
        .selectFrom('accounts')
        .select('account_sid')
        .where('service_provider_sid', '=', service_provider_sid)
        .execute()
      return found.map(({ account_sid }) => account_sid)
    },

    /** Whether another account of the provider goes by the name. The database itself would let it. */
    async nameTaken(
      name: string,
      service_provider_sid: string,
      except: string | undefined,
      tx: Connection,
    ): Promise<boolean> {
      const { rows: found } = await sql<Row>`select account_sid from accounts where ${reads(sql`name`, name)}
        and service_provider_sid = ${service_provider_sid} and account_sid <> ${except ?? ''} limit 1`.execute(tx)
      return found.length > 0
    },

    async realmTaken(sip_realm: string, except?: string): Promise<boolean> {
      const { rows: found } = await sql<Row>`select account_sid from accounts
        where ${reads(sql`sip_realm`, sip_realm)} and account_sid <> ${except ?? ''}`.execute(db)
      return found.length > 0
    },
  }
}

export type Accounts = ReturnType<typeof accounts>
