import { sql } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { Application } from '@trunkline/contract/shapes/application'
import { findDependents } from '../../db/dependents'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Webhooks } from '../webhooks/public'

export const applicationWebhookFields = ['call_hook', 'call_status_hook', 'messaging_hook'] as const

/** An application with the SIDs of its webhooks, as separate columns. */
export type StoredApplication = Application & {
  [Field in (typeof applicationWebhookFields)[number] as `${Field}_sid`]: string | null
}

const decryptEnvVars = (encryption: SecretEncryption, ciphertext: unknown) => {
  if (typeof ciphertext !== 'string' || ciphertext === '') return { env_vars: null }
  const decryption = encryption.decryptJson(ciphertext)
  return decryption.ok ? { env_vars: decryption.value } : { env_vars: null, unreadable: ['env_vars'] }
}

export const createApplicationRepository = (store: Store, encryption: SecretEncryption, webhooks: Webhooks) => ({
  ...createRepository<StoredApplication>(store, {
    ownership: ownershipByKind.application,
    sortableColumns: ['name', 'account_name', 'created_at', 'record_all_calls'],
    unpagedSort: 'application_sid',
    sortExpressions: { account_name: sql`accounts.name` },
    extraColumns: sql`, accounts.name as account_name`,
    toContractRows: async (rows, connection) =>
      (await webhooks.attachWebhooks(rows, applicationWebhookFields, connection)).map((row) => ({
        ...row,
        ...decryptEnvVars(encryption, row.env_vars),
      })),
  }),

  /** The SIDs of all webhooks of an account's applications. */
  async webhookSidsOfAccount(account_sid: string, connection: Connection): Promise<(string | null)[]> {
    const rows = await connection
      .selectFrom('applications')
      .select(['call_hook_sid', 'call_status_hook_sid', 'messaging_hook_sid'])
      .where('account_sid', '=', account_sid)
      .execute()
    return rows.flatMap((row) => Object.values(row))
  },

  /**
   * Locks an application until the transaction ends. False if it does not belong to the account. One statement locks and
   * checks: on MySQL, a read could return the state as of the transaction's first read.
   */
  async lockInAccount(application_sid: string, account_sid: string | null, tx: Connection): Promise<boolean> {
    const { numAffectedRows } = await sql`update applications set application_sid = application_sid
      where application_sid = ${application_sid} and account_sid = ${account_sid}`.execute(tx)
    return Boolean(numAffectedRows)
  },

  /** The records that refer to an application. They prevent its deletion and its move to another account. */
  async findDependents(application_sid: string, connection: Connection): Promise<Dependent[]> {
    const refersToApplication = sql`application_sid = ${application_sid}`
    const queries = [
      sql`select 'phone_number' as kind, phone_number_sid as sid, number as title from phone_numbers where ${refersToApplication}`,
      sql`select 'ms_teams_tenant' as kind, ms_teams_tenant_sid as sid, tenant_fqdn as title from ms_teams_tenants where ${refersToApplication}`,
      sql`select 'voip_carrier' as kind, voip_carrier_sid as sid, name as title from voip_carriers where ${refersToApplication}`,
      sql`select 'account' as kind, account_sid as sid, name as title from accounts
        where device_calling_application_sid = ${application_sid} or siprec_hook_sid = ${application_sid}`,
    ]
    return findDependents(connection, queries)
  },
})

export type Applications = ReturnType<typeof createApplicationRepository>
