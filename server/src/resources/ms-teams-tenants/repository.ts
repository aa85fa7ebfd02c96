import { sql } from 'kysely'
import type { MsTeamsTenant } from '@trunkline/contract/shapes/ms-teams-tenant'
import { ownershipByKind } from '../../db/tenancy'
import { createRepository, type Store } from '../../db/repository'

export const createMsTeamsTenantRepository = (store: Store) =>
  createRepository<MsTeamsTenant>(store, {
    ownership: ownershipByKind.ms_teams_tenant,
    sortableColumns: ['tenant_fqdn', 'account_name', 'application_name'],
    sortExpressions: { account_name: sql`accounts.name`, application_name: sql`applications.name` },
    extraColumns: sql`, accounts.name as account_name, applications.name as application_name`,
    extraJoins: sql`left join applications on applications.application_sid = t.application_sid`,
  })
