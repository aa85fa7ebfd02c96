import { sql } from 'kysely'
import type { Dependent } from '@trunkline/contract/kit/problem'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { dependentsOf } from '../../db/dependents'
import { ownerChains } from '../../db/tenancy'
import { repository, type Connection, type Store } from '../../db/repository'
import type { Webhooks } from '../webhooks/public'

export type StoredProvider = ServiceProvider & { registration_hook_sid: string | null }

export const providers = (store: Store, webhooks: Webhooks) => ({
  ...repository<StoredProvider>(store, {
    chain: ownerChains.service_provider,
    sortableColumns: ['name', 'root_domain'],
    present: (rows, connection) => webhooks.attach(rows, ['registration_hook'], connection),
  }),

  /** What keeps a provider from being deleted: its accounts, its users, its applications and numbers of no account, its tenants. */
  async dependents(service_provider_sid: string): Promise<Dependent[]> {
    const at = sql`service_provider_sid = ${service_provider_sid}`
    const parts = [
      sql`select 'account' as kind, account_sid as sid, name as title from accounts where ${at}`,
      sql`select 'user' as kind, user_sid as sid, name as title from users where ${at}`,
      sql`select 'application' as kind, application_sid as sid, name as title from applications where ${at}`,
      sql`select 'phone_number' as kind, phone_number_sid as sid, number as title from phone_numbers where ${at}
        or voip_carrier_sid in (select voip_carrier_sid from voip_carriers where ${at})`,
      sql`select 'ms_teams_tenant' as kind, ms_teams_tenant_sid as sid, tenant_fqdn as title from ms_teams_tenants
        where ${at}`,
    ]
    return dependentsOf(store.database.db, parts)
  },

  /** Everything that a provider without accounts still has. To be called inside one transaction. */
  async empty(service_provider_sid: string, connection: Connection): Promise<void> {
    const own = sql`service_provider_sid = ${service_provider_sid}`
    const carriers = sql`select voip_carrier_sid from voip_carriers where ${own}`
    const tables = sql`select lcr_sid from lcr where ${own}`
    const routes = sql`select lcr_route_sid from lcr_routes where lcr_sid in (${tables})`
    const statements = [
      sql`update lcr set default_carrier_set_entry_sid = null where ${own}`,
      sql`delete from lcr_carrier_set_entry where lcr_route_sid in (${routes}) or voip_carrier_sid in (${carriers})`,
      sql`delete from lcr_routes where lcr_sid in (${tables})`,
      sql`delete from lcr where ${own}`,
      sql`delete from speech_credentials where ${own}`,
      sql`delete from sip_gateways where voip_carrier_sid in (${carriers})`,
      sql`delete from smpp_gateways where voip_carrier_sid in (${carriers})`,
      sql`delete from voip_carriers where ${own}`,
      sql`delete from api_keys where ${own}`,
      sql`delete from sbc_addresses where ${own}`,
      sql`delete from smpp_addresses where ${own}`,
    ]
    for (const statement of statements) await statement.execute(connection)
  },
})

export type Providers = ReturnType<typeof providers>
