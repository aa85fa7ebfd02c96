import * as z from 'zod'
import { name, optionalSid } from '../kit/fields'

export const msTeamsTenantSchema = z.object({
  ms_teams_tenant_sid: z.string(),
  service_provider_sid: z.string(),
  account_sid: z.string(),
  application_sid: z.string().nullable(),
  tenant_fqdn: z.string(),
  /** Trunkline additions: the names of the linked records, so that a list needs no second request. */
  account_name: z.string().nullable().optional(),
  application_name: z.string().nullable().optional(),
})

export const msTeamsTenantDraftSchema = z.strictObject({
  tenant_fqdn: name(255, 'missing field tenant_fqdn').regex(/^\S*$/, 'tenant_fqdn cannot contain whitespace'),
  /** Optional for users other than administrators: their own provider and account are used. */
  service_provider_sid: optionalSid(),
  account_sid: optionalSid(),
  application_sid: optionalSid(),
})

export const msTeamsTenantChangesSchema = msTeamsTenantDraftSchema.partial()

export type MsTeamsTenant = z.output<typeof msTeamsTenantSchema>
export type MsTeamsTenantDraft = z.input<typeof msTeamsTenantDraftSchema>
export type MsTeamsTenantChanges = z.input<typeof msTeamsTenantChangesSchema>
