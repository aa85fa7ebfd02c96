import { sql } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { Application } from '@trunkline/contract/shapes/application'
import { dependentsOf } from '../../db/dependents'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Webhooks } from '../webhooks/public'

export const applicationHookFields = ['call_hook', 'call_status_hook', 'messaging_hook'] as const

/** The contract's row, and the SIDs of its webhooks. */
export type StoredApplication = Application & {
  [Hook in (typeof applicationHookFields)[number] as `${Hook}_sid`]: string | null
}

const decryptEnvVars = (vault: SecretEncryption, ciphertext: unknown) => {
  if (typeof ciphertext !== 'string' || ciphertext === '') return { env_vars: null }
  const result = vault.decryptJson(ciphertext)
  return result.ok ? { env_vars: result.value } : { env_vars: null, unreadable: ['env_vars'] }
}

export const applications = (store: Store, vault: SecretEncryption, webhooks: Webhooks) => ({
  ...repository<StoredApplication>(store, {
    chain: ownerChains.application,
    sortableColumns: ['name', 'account_name', 'created_at', 'record_all_calls'],
    unpagedSort: 'application_sid',
    sortExpressions: { account_name: sql`oa.name` },
    extraColumns: sql`, oa.name as account_name`,
    present: async (rows, connection) =>
      (await webhooks.attachHooks(rows, applicationHookFields, connection)).map((row) => ({
        ...row,
        ...decryptEnvVars(vault, row.env_vars),
      })),
  }),

  /** The SIDs of all webhooks of an account's applications. */
  async hookSidsOf(account_sid: string, connection: Connection): Promise<(string | null)[]> {
    const rows = await connection
      .selectFrom('applications')
      .select(['call_hook_sid', 'call_status_hook_sid', 'messaging_hook_sid'])
      .where('account_sid', '=', account_sid)
      .execute()
    return rows.flatMap((row) => Object.values(row))
  },

  /** The records that refer to an application and so prevent its deletion. */
  async dependents(application_sid: string): Promise<Dependent[]> {
    const usesApplication = sql`application_sid = ${application_sid}`
    const queries = [
      sql`select 'phone_number' as kind, phone_number_sid as sid, number as title from phone_numbers where ${usesApplication}`,
      sql`select 'ms_teams_tenant' as kind, ms_teams_tenant_sid as sid, tenant_fqdn as title from ms_teams_tenants where ${usesApplication}`,
      sql`select 'voip_carrier' as kind, voip_carrier_sid as sid, name as title from voip_carriers where ${usesApplication}`,
      sql`select 'account' as kind, account_sid as sid, name as title from accounts
        where device_calling_application_sid = ${application_sid} or siprec_hook_sid = ${application_sid}`,
    ]
    return dependentsOf(store.database.db, queries)
  },
})

export type Applications = ReturnType<typeof applications>
