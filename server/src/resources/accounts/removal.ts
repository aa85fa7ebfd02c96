import { sql } from 'kysely'
import type { Connection } from '../../db/repository-options'
import { scheduleAccountRecords } from '../sip-realms/public'

// SQL fragments for an account: the condition on its rows, and subqueries for the SIDs of its records.
const accountCondition = (account_sid: string) => sql`account_sid = ${account_sid}`
const carrierSidsOf = (account_sid: string) =>
  sql`select voip_carrier_sid from voip_carriers where ${accountCondition(account_sid)}`
const lcrSidsOf = (account_sid: string) => sql`select lcr_sid from lcr where ${accountCondition(account_sid)}`
const lcrRouteSidsOf = (account_sid: string) =>
  sql`select lcr_route_sid from lcr_routes where lcr_sid in (${lcrSidsOf(account_sid)})`
const subscriptionSidsOf = (account_sid: string) =>
  sql`select account_subscription_sid from account_subscriptions where ${accountCondition(account_sid)}`
const apiKeySidsOf = (account_sid: string) =>
  sql`select api_key_sid from api_keys where ${accountCondition(account_sid)}`
const userSidsOf = (account_sid: string) => sql`select user_sid from users where ${accountCondition(account_sid)}`
const applicationSidsOf = (account_sid: string) =>
  sql`select application_sid from applications where ${accountCondition(account_sid)}`

/** Ends the sessions of all users of an account. */
export const endAccountSessions = async (account_sid: string, connection: Connection): Promise<void> => {
  await sql`delete from trunkline_sessions where user_sid in (${userSidsOf(account_sid)})`.execute(connection)
}

/**
 * Deletes everything that belongs to an account, referencing rows first. Rows of other owners stay, and their references
 * to deleted rows are cleared. The database deletes the rows of other tables by cascade, such as limits and custom voices.
 * Call it in the transaction that then removes the account.
 */
export const deleteAccountContents = async (account_sid: string, connection: Connection): Promise<void> => {
  const belongsToAccount = accountCondition(account_sid)
  const applicationSids = applicationSidsOf(account_sid)
  const carrierSids = carrierSidsOf(account_sid)
  const userSids = userSidsOf(account_sid)
  const statements = [
    sql`update accounts set device_calling_application_sid = null where device_calling_application_sid in (${applicationSids})`,
    sql`update accounts set siprec_hook_sid = null where siprec_hook_sid in (${applicationSids})`,
    sql`update phone_numbers set application_sid = null where application_sid in (${applicationSids})`,
    sql`update voip_carriers set application_sid = null where application_sid in (${applicationSids})`,
    sql`update ms_teams_tenants set application_sid = null where application_sid in (${applicationSids})`,
    sql`delete from trunkline_api_key_names where api_key_sid in (${apiKeySidsOf(account_sid)})`,
    sql`delete from api_keys where ${belongsToAccount}`,
    sql`delete from account_products where account_subscription_sid in (${subscriptionSidsOf(account_sid)})`,
    sql`delete from trunkline_subscription_details where account_subscription_sid in (${subscriptionSidsOf(account_sid)})`,
    sql`delete from account_subscriptions where ${belongsToAccount}`,
    sql`delete from trunkline_trial_reminders where ${belongsToAccount}`,
    sql`delete from account_offers where ${belongsToAccount}`,
    sql`delete from account_static_ips where ${belongsToAccount}`,
    sql`delete from speech_credentials where ${belongsToAccount}`,
    sql`delete from trunkline_sessions where user_sid in (${userSids})`,
    sql`delete from trunkline_email_changes where user_sid in (${userSids})`,
    sql`delete from trunkline_saved_views where user_sid in (${userSids})`,
    sql`delete from users where ${belongsToAccount}`,
    sql`delete from phone_numbers where ${belongsToAccount}`,
    sql`update phone_numbers set voip_carrier_sid = null where voip_carrier_sid in (${carrierSids})`,
    sql`delete from call_routes where account_sid = ${account_sid} or application_sid in (${applicationSids})`,
    sql`delete from ms_teams_tenants where ${belongsToAccount}`,
    sql`delete from clients where ${belongsToAccount}`,
    sql`update lcr set default_carrier_set_entry_sid = null where ${belongsToAccount} or default_carrier_set_entry_sid in
      (select lcr_carrier_set_entry_sid from lcr_carrier_set_entry where voip_carrier_sid in (${carrierSids}))`,
    sql`delete from lcr_carrier_set_entry where lcr_route_sid in (${lcrRouteSidsOf(account_sid)}) or voip_carrier_sid in (${carrierSids})`,
    sql`delete from lcr_routes where lcr_sid in (${lcrSidsOf(account_sid)})`,
    sql`delete from lcr where ${belongsToAccount}`,
    sql`delete from sip_gateways where voip_carrier_sid in (${carrierSids})`,
    sql`delete from smpp_gateways where voip_carrier_sid in (${carrierSids})`,
    sql`delete from voip_carriers where ${belongsToAccount}`,
    sql`delete from applications where ${belongsToAccount}`,
  ]
  await scheduleAccountRecords(account_sid, connection)
  for (const statement of statements) await statement.execute(connection)
}
