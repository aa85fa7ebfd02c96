import { sql } from 'kysely'
import type { Account } from '@trunkline/contract/shapes/account'
import { ownerChains } from '../../db/tenancy'
import { equalsText, repository, type Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { obscureCredential } from '../../secrets/obscure-bucket-credential'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Webhooks } from '../webhooks/public'

export const accountHookFields = ['registration_hook', 'queue_event_hook'] as const

/** The contract's row, and the SIDs of its webhooks. */
export type StoredAccount = Account & { registration_hook_sid: string | null; queue_event_hook_sid: string | null }

/** The bucket credential with masked secrets. Null if it cannot be decrypted. */
const presentCredential = (vault: SecretEncryption, ciphertext: unknown) => {
  if (typeof ciphertext !== 'string') return { bucket_credential: null }
  const decrypted = vault.decryptJson(ciphertext)
  return decrypted.ok
    ? { bucket_credential: obscureCredential(decrypted.value) }
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
    present: async (matches, connection) =>
      (await webhooks.attachHooks(matches, accountHookFields, connection)).map((row) => ({
        ...row,
        registration_hook: withoutSid(row.registration_hook),
        queue_event_hook: withoutSid(row.queue_event_hook),
        ...presentCredential(vault, row.bucket_credential),
      })),
  })

  return {
    ...rows,

    /** The provider of an account. Undefined if the account does not exist. */
    async providerOf(account_sid: string, connection: Connection = db): Promise<string | undefined> {
      const row = await connection
        .selectFrom('accounts')
        .select('service_provider_sid')
        .where('account_sid', '=', account_sid)
        .executeTakeFirst()
      return row?.service_provider_sid
    },

    async sidsOfProvider(service_provider_sid: string): Promise<string[]> {
      const matches = await db
        .selectFrom('accounts')
        .select('account_sid')
        .where('service_provider_sid', '=', service_provider_sid)
        .execute()
      return matches.map(({ account_sid }) => account_sid)
    },

    /** Whether another account of the provider has this name. The database has no unique key for it. */
    async isDuplicateName(
      name: string,
      service_provider_sid: string,
      exceptSid: string | undefined,
      tx: Connection,
    ): Promise<boolean> {
      const { rows: matches } = await sql<Row>`select account_sid from accounts where ${equalsText(sql`name`, name)}
        and service_provider_sid = ${service_provider_sid} and account_sid <> ${exceptSid ?? ''} limit 1`.execute(tx)
      return matches.length > 0
    },

    async isDuplicateRealm(sip_realm: string, exceptSid?: string): Promise<boolean> {
      const { rows: matches } = await sql<Row>`select account_sid from accounts
        where ${equalsText(sql`sip_realm`, sip_realm)} and account_sid <> ${exceptSid ?? ''}`.execute(db)
      return matches.length > 0
    },
  }
}

export type Accounts = ReturnType<typeof accounts>

const inAccount = (account_sid: string) => sql`account_sid = ${account_sid}`
const carriersOf = (account_sid: string) =>
  sql`select voip_carrier_sid from voip_carriers where ${inAccount(account_sid)}`
const lcrsOf = (account_sid: string) => sql`select lcr_sid from lcr where ${inAccount(account_sid)}`
const routesOf = (account_sid: string) =>
  sql`select lcr_route_sid from lcr_routes where lcr_sid in (${lcrsOf(account_sid)})`
const subscriptionsOf = (account_sid: string) =>
  sql`select account_subscription_sid from account_subscriptions where ${inAccount(account_sid)}`
const usersOf = (account_sid: string) => sql`select user_sid from users where ${inAccount(account_sid)}`

/** Ends the sessions of all users of an account. */
export const endAccountSessions = async (account_sid: string, connection: Connection): Promise<void> => {
  await sql`delete from trunkline_sessions where user_sid in (${usersOf(account_sid)})`.execute(connection)
}

/**
 * Deletes everything that belongs to an account, referencing rows first. Rows of other owners that refer to it stay and
 * lose the reference. Call it in the transaction that then removes the account.
 */
export const deleteAccountContents = async (account_sid: string, connection: Connection): Promise<void> => {
  const inThisAccount = inAccount(account_sid)
  const applications = sql`select application_sid from (select application_sid from applications where ${inThisAccount}) x`
  const statements = [
    sql`update accounts set device_calling_application_sid = null where device_calling_application_sid in (${applications})`,
    sql`update accounts set siprec_hook_sid = null where siprec_hook_sid in (${applications})`,
    sql`update phone_numbers set application_sid = null where application_sid in (${applications})`,
    sql`update voip_carriers set application_sid = null where application_sid in (${applications})`,
    sql`update ms_teams_tenants set application_sid = null where application_sid in (${applications})`,
    sql`delete from dns_records where ${inThisAccount}`,
    sql`delete from api_keys where ${inThisAccount}`,
    sql`delete from account_products where account_subscription_sid in (${subscriptionsOf(account_sid)})`,
    sql`delete from account_subscriptions where ${inThisAccount}`,
    sql`delete from account_offers where ${inThisAccount}`,
    sql`delete from account_static_ips where ${inThisAccount}`,
    sql`delete from speech_credentials where ${inThisAccount}`,
    sql`delete from trunkline_sessions where user_sid in (${usersOf(account_sid)})`,
    sql`delete from trunkline_email_changes where user_sid in (${usersOf(account_sid)})`,
    sql`delete from users where ${inThisAccount}`,
    sql`delete from phone_numbers where ${inThisAccount}`,
    sql`update phone_numbers set voip_carrier_sid = null where voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from call_routes where account_sid = ${account_sid} or application_sid in (${applications})`,
    sql`delete from ms_teams_tenants where ${inThisAccount}`,
    sql`delete from clients where ${inThisAccount}`,
    sql`update lcr set default_carrier_set_entry_sid = null where ${inThisAccount} or default_carrier_set_entry_sid in
      (select lcr_carrier_set_entry_sid from lcr_carrier_set_entry where voip_carrier_sid in (${carriersOf(account_sid)}))`,
    sql`delete from lcr_carrier_set_entry where lcr_route_sid in (${routesOf(account_sid)}) or voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from lcr_routes where lcr_sid in (${lcrsOf(account_sid)})`,
    sql`delete from lcr where ${inThisAccount}`,
    sql`delete from sip_gateways where voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from smpp_gateways where voip_carrier_sid in (${carriersOf(account_sid)})`,
    sql`delete from voip_carriers where ${inThisAccount}`,
    sql`delete from applications where ${inThisAccount}`,
  ]
  for (const statement of statements) await statement.execute(connection)
}
