import { resource } from '../kit/resource'
import type { MsTeamsTenant, MsTeamsTenantChanges, MsTeamsTenantDraft } from '../shapes/ms-teams-tenant'

/** A customer's domain in Microsoft Teams, from which and to which an account's calls go. */
export const msTeamsTenant = resource<MsTeamsTenant, MsTeamsTenantDraft, MsTeamsTenantChanges>()({
  kind: 'ms_teams_tenant',
  path: '/MicrosoftTeamsTenants',
  key: 'ms_teams_tenant_sid',
  noun: { singular: 'Microsoft Teams tenant', plural: 'Microsoft Teams tenants' },
  title: (row) => row.tenant_fqdn,
})
