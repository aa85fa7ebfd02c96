import { sql } from 'kysely'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import { ownerChains } from '../../db/tenancy'
import { repository, type Store } from '../../db/repository'

export const msTeamsTenants = (store: Store) =>
  repository<MsTeamsTenant>(store, {
    chain: ownerChains.ms_teams_tenant,
    sortableColumns: ['tenant_fqdn', 'account_name', 'application_name'],
    sortExpressions: { account_name: sql`oa.name`, application_name: sql`na.name` },
    extraColumns: sql`, oa.name as account_name, na.name as application_name`,
    extraJoins: sql`left join applications na on na.application_sid = t.application_sid`,
  })
