import { sql } from 'kysely'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import { chains } from '../../db/tenancy'
import { table, type Store } from '../../db/table'

export const msTeamsTenants = (store: Store) =>
  table<MsTeamsTenant>(store, {
    chain: chains.ms_teams_tenant,
    sortable: ['tenant_fqdn', 'account_name', 'application_name'],
    named: { account_name: sql`oa.name`, application_name: sql`na.name` },
    extra: sql`, oa.name as account_name, na.name as application_name`,
    extraJoins: sql`left join applications na on na.application_sid = t.application_sid`,
  })
