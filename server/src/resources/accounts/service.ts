import { sql } from 'kysely'
import { badRequest } from '../../http/problem'
import type { Connection } from '../../db/table'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Accounts } from './repository'

export type { Accounts } from './repository'

/** The owner of a new record that lies in an account: the account, and the provider that the account has. */
export const ownerInAccount = async (accounts: Accounts, account_sid: string): Promise<Owner> => {
  const service_provider_sid = await accounts.providerOf(account_sid)
  if (!service_provider_sid) throw badRequest('unknown account_sid', 'account_sid')
  return { account_sid, service_provider_sid }
}

/** The account that a new record goes to: a caller of account scope always means its own. */
export const accountOf = (actor: Actor, account_sid: string | null | undefined): string | null =>
  actor.scope === 'account' ? actor.account_sid : (account_sid ?? null)

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
