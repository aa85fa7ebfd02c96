import { sql } from 'kysely'
import type { Account } from '@trunkline/contract/shapes/account'
import { ownerChains } from '../../db/tenancy'
import { equalsText, repository, type Connection, type Row, type Store } from '../../db/repository'
import { obscureCredential } from '../../secrets/bucket'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Webhooks } from '../webhooks/public'

export const accountHooks = ['registration_hook', 'queue_event_hook'] as const

/** An account as the repository gives it: the contract's row, and the sids of its hooks. */
export type StoredAccount = Account & { registration_hook_sid: string | null; queue_event_hook_sid: string | null }

/** The credential of a bucket as it may be shown. One that cannot be read is not shown at all. */
const shownCredential = (vault: SecretEncryption, stored: unknown) => {
  if (typeof stored !== 'string') return { bucket_credential: null }
  const opened = vault.decryptJson(stored)
  return opened.ok
    ? { bucket_credential: obscureCredential(opened.value) }
    : { bucket_credential: null, unreadable: ['bucket_credential'] }
}

const withoutSid = (hook: unknown) => {
  if (hook === null || typeof hook !== 'object') return hook
  const { url, method, username, password } = hook as Row
  return { url, method, username, password }
}

export const accounts = (store: Store, vault: SecretEncryption, webhooks: Webhooks) => {
  const { db } = store.database
  const rows = repository<StoredAccount>(store, {
    chain: ownerChains.account,
    sortableColumns: ['name', 'sip_realm', 'plan_type', 'is_active', 'created_at', 'record_format'],
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
      const { rows: found } = await sql<Row>`select account_sid from accounts where ${equalsText(sql`name`, name)}
        and service_provider_sid = ${service_provider_sid} and account_sid <> ${except ?? ''} limit 1`.execute(tx)
      return found.length > 0
    },

    async realmTaken(sip_realm: string, except?: string): Promise<boolean> {
      const { rows: found } = await sql<Row>`select account_sid from accounts
        where ${equalsText(sql`sip_realm`, sip_realm)} and account_sid <> ${except ?? ''}`.execute(db)
      return found.length > 0
    },
  }
}

export type Accounts = ReturnType<typeof accounts>

const inAccount = (account_sid: string) => sql`account_sid = ${account_sid}`
const carriersOf = (account_sid: string) =>
  sql`select voip_carrier_sid from voip_carriers where ${inAccount(account_sid)}`
const tablesOf = (account_sid: string) => sql`select lcr_sid from lcr where ${inAccount(account_sid)}`
const routesOf = (account_sid: string) =>
  sql`select lcr_route_sid from lcr_routes where lcr_sid in (${tablesOf(account_sid)})`
const subscriptionsOf = (account_sid: string) =>
  sql`select account_subscription_sid from account_subscriptions where ${inAccount(account_sid)}`
const usersOf = (account_sid: string) => sql`select user_sid from users where ${inAccount(account_sid)}`

/** Ends the sessions of everybody in an account. */
export const closeSessions = async (account_sid: string, connection: Connection): Promise<void> => {
  await sql`delete from trunkline_sessions where user_sid in (${usersOf(account_sid)})`.execute(connection)
}

/**
 * Everything that lies in an account, what points before what is pointed at. Rows of others that point into it lose the
 * link and stay. To be called inside one transaction, with the account's own row removed after it.
 */
export const emptyAccount = async (account_sid: string, connection: Connection): Promise<void> => {
  const own = inAccount(account_sid)
  const applications = sql`select application_sid from (select application_sid from applications where ${own}) x`
  const statements = [
    sql`update accounts set device_calling_application_sid = null where device_calling_application_sid in (${applications})`,
    sql`update accounts set siprec_hook_sid = null where siprec_hook_sid in (${applications})`,
    sql`update phone_numbers set application_sid = null where application_sid in (${applications})`,
    sql`update voip_carriers set application_sid = null where application_sid in (${applications})`,
    sql`update ms_teams_tenants set application_sid = null where application_sid in (${applications})`,
    sql`delete from dns_records where ${own}`,
    sql`delete from api_keys where ${own}`,
    sql`delete from account_products where account_subscription_sid in (${subscriptionsOf(account_sid)})`,
    sql`delete from account_subscriptions where ${own}`,
    sql`delete from account_offers where ${own}`,
    sql`delete from account_static_ips where ${own}`,
    sql`delete from speech_credentials where ${own}`,
    sql`delete from trunkline_sessions where user_sid in (${usersOf(account_sid)})`,
    sql`delete from trunkline_email_changes where user_sid in (${usersOf(account_sid)})`,
    sql`delete from users where ${own}`,
    sql`delete from phone_numbers where ${own}`,
    sql`update phone_numbers set voip_carrier_sid = null where voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from call_routes where account_sid = ${account_sid} or application_sid in (${applications})`,
    sql`delete from ms_teams_tenants where ${own}`,
    sql`delete from clients where ${own}`,
    sql`update lcr set default_carrier_set_entry_sid = null where ${own} or default_carrier_set_entry_sid in
      (select lcr_carrier_set_entry_sid from lcr_carrier_set_entry where voip_carrier_sid in (${carriersOf(account_sid)}))`,
    sql`delete from lcr_carrier_set_entry where lcr_route_sid in (${routesOf(account_sid)}) or voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from lcr_routes where lcr_sid in (${tablesOf(account_sid)})`,
    sql`delete from lcr where ${own}`,
    sql`delete from sip_gateways where voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from smpp_gateways where voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from voip_carriers where ${own}`,
    sql`delete from applications where ${own}`,
  ]
  for (const statement of statements) await statement.execute(connection)
}
