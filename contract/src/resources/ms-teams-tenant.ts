import { defineResource } from '../kit/resource'
import type { MsTeamsTenant, MsTeamsTenantChanges, MsTeamsTenantDraft } from '../shapes/ms-teams-tenant'

/** A customer's Microsoft Teams domain, connected to an account for inbound and outbound calls. */
export const msTeamsTenant = defineResource<MsTeamsTenant, MsTeamsTenantDraft, MsTeamsTenantChanges>()({
  kind: 'ms_teams_tenant',
  path: '/MicrosoftTeamsTenants',
  key: 'ms_teams_tenant_sid',
  noun: { singular: 'Microsoft Teams tenant', plural: 'Microsoft Teams tenants' },
  title: (row) => row.tenant_fqdn,
})
