import { z } from 'zod'
import { optionalText, name } from '../kit/fields'
import { webhook, webhookRow } from './webhook'

export const row = z.object({
  service_provider_sid: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  root_domain: z.string().nullable(),
  ms_teams_fqdn: z.string().nullable(),
  registration_hook: webhookRow.nullable(),
})

export const create = z.strictObject({
  name: name(64, 'missing field name'),
  description: optionalText(255),
  root_domain: optionalText(128),
  ms_teams_fqdn: optionalText(255),
  registration_hook: webhook.nullish(),
})

export const update = create.partial()

export type ServiceProvider = z.output<typeof row>
export type ServiceProviderDraft = z.input<typeof create>
export type ServiceProviderChanges = z.input<typeof update>
