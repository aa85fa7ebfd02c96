import { sql } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { findDependents } from '../../db/dependents'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import type { Webhooks } from '../webhooks/public'

export type StoredProvider = ServiceProvider & { registration_hook_sid: string | null }

export const createProviderRepository = (store: Store, webhooks: Webhooks) => ({
  ...createRepository<StoredProvider>(store, {
    ownership: ownershipByKind.service_provider,
    sortableColumns: ['name', 'root_domain'],
    toContractRows: (rows, connection) => webhooks.attachWebhooks(rows, ['registration_hook'], connection),
  }),

  /**
   * The records that prevent the deletion of a provider: accounts, users, Teams tenants, and applications and phone
   * numbers without account.
   */
  async dependents(service_provider_sid: string): Promise<Dependent[]> {
    const inProvider = sql`service_provider_sid = ${service_provider_sid}`
    const queries = [
      sql`select 'account' as kind, account_sid as sid, name as title from accounts where ${inProvider}`,
      sql`select 'user' as kind, user_sid as sid, name as title from users where ${inProvider}`,
      sql`select 'application' as kind, application_sid as sid, name as title from applications where ${inProvider}`,
      sql`select 'phone_number' as kind, phone_number_sid as sid, number as title from phone_numbers where ${inProvider}
        or voip_carrier_sid in (select voip_carrier_sid from voip_carriers where ${inProvider})`,
      sql`select 'ms_teams_tenant' as kind, ms_teams_tenant_sid as sid, tenant_fqdn as title from ms_teams_tenants
        where ${inProvider}`,
    ]
    return findDependents(store.database.db, queries)
  },

  /** Deletes the remaining records of a provider without accounts. Call it inside a transaction. */
  async deleteContents(service_provider_sid: string, connection: Connection): Promise<void> {
    const inProvider = sql`service_provider_sid = ${service_provider_sid}`
    const carrierSids = sql`select voip_carrier_sid from voip_carriers where ${inProvider}`
    const lcrSids = sql`select lcr_sid from lcr where ${inProvider}`
    const lcrRouteSids = sql`select lcr_route_sid from lcr_routes where lcr_sid in (${lcrSids})`
    const statements = [
      sql`update lcr set default_carrier_set_entry_sid = null where ${inProvider}`,
      sql`delete from lcr_carrier_set_entry where lcr_route_sid in (${lcrRouteSids}) or voip_carrier_sid in (${carrierSids})`,
      sql`delete from lcr_routes where lcr_sid in (${lcrSids})`,
      sql`delete from lcr where ${inProvider}`,
      sql`delete from speech_credentials where ${inProvider}`,
      sql`delete from sip_gateways where voip_carrier_sid in (${carrierSids})`,
      sql`delete from smpp_gateways where voip_carrier_sid in (${carrierSids})`,
      sql`delete from voip_carriers where ${inProvider}`,
      sql`delete from trunkline_api_key_names where api_key_sid in (select api_key_sid from api_keys where ${inProvider})`,
      sql`delete from api_keys where ${inProvider}`,
      sql`delete from sbc_addresses where ${inProvider}`,
      sql`delete from smpp_addresses where ${inProvider}`,
    ]
    for (const statement of statements) await statement.execute(connection)
  },
})

export type Providers = ReturnType<typeof createProviderRepository>
