import * as z from 'zod'
import { optionalText, name } from '../kit/fields'
import { webhookDraftSchema, webhookSchema } from './webhook'

export const serviceProviderSchema = z.object({
  service_provider_sid: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  root_domain: z.string().nullable(),
  ms_teams_fqdn: z.string().nullable(),
  registration_hook: webhookSchema.nullable(),
})

export const serviceProviderDraftSchema = z.strictObject({
  name: name(64, 'missing field name'),
  description: optionalText(255),
  root_domain: optionalText(128),
  ms_teams_fqdn: optionalText(255),
  registration_hook: webhookDraftSchema.nullish(),
})

export const serviceProviderChangesSchema = serviceProviderDraftSchema.partial()

export type ServiceProvider = z.output<typeof serviceProviderSchema>
export type ServiceProviderDraft = z.input<typeof serviceProviderDraftSchema>
export type ServiceProviderChanges = z.input<typeof serviceProviderChangesSchema>
