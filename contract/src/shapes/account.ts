import * as z from 'zod'
import { recordFormats } from '../calls/bucket'
import {
  bit,
  choice,
  flag,
  timestampInput,
  optionalText,
  timestamp,
  name,
  noNulPattern,
  optionalSid,
  sid,
  text,
} from '../kit/fields'
import { bucketCredentialSchema } from './bucket'
import { accountSubscriptionSchema } from './subscription'
import { createWebhookDraftSchema, webhookSchema } from './webhook'

export const accountSchema = z.object({
  account_sid: z.string(),
  name: z.string(),
  service_provider_sid: z.string(),
  sip_realm: z.string().nullable(),
  registration_hook: webhookSchema.nullable(),
  queue_event_hook: webhookSchema.nullable(),
  device_calling_application_sid: z.string().nullable(),
  siprec_hook_sid: z.string().nullable(),
  is_active: bit(),
  disable_cdrs: bit(),
  record_all_calls: bit(),
  record_format: z.string(),
  enable_debug_log: bit(),
  plan_type: z.string(),
  webhook_secret: z.string(),
  bucket_credential: z.record(z.string(), z.unknown()).nullable(),
  /** A Trunkline addition: fields that this server cannot decrypt, returned as null. Absent if there are none. */
  unreadable: z.array(z.string()).optional(),
  trial_end_date: timestamp(),
  created_at: timestamp(),
  device_to_call_ratio: z.number(),
  deactivated_reason: z.string().nullable(),
  stripe_customer_id: z.string().nullable(),
  subspace_client_id: z.string().nullable(),
  subspace_client_secret: z.string().nullable(),
  subspace_sip_teleport_id: z.string().nullable(),
  subspace_sip_teleport_destinations: z.string().nullable(),
  /** A Trunkline addition: the subscription. Only in lists of the hosted edition, for providers and administrators. */
  subscription: accountSubscriptionSchema.nullish(),
})

const sipRealm = z
  .string()
  .trim()
  .max(132)
  .regex(/^\S*$/, 'sip_realm must not contain whitespace')
  .regex(noNulPattern)
  .transform((value) => value.toLowerCase() || null)

const createHookSchema = (field: string) =>
  createWebhookDraftSchema(`'${field}' must be an object when adding an account`)

const columns = z.strictObject({
  name: name(64, 'missing field name'),
  sip_realm: sipRealm.nullish(),
  registration_hook: createHookSchema('registration_hook').nullish(),
  queue_event_hook: createHookSchema('queue_event_hook').nullish(),
  device_calling_application_sid: optionalSid(),
  siprec_hook_sid: optionalSid(),
  is_active: flag().optional(),
  disable_cdrs: flag().optional(),
  record_all_calls: flag().optional(),
  record_format: choice(recordFormats).optional(),
  enable_debug_log: flag().optional(),
  plan_type: choice(['trial', 'free', 'paid']).optional(),
  webhook_secret: text(36).optional(),
  bucket_credential: bucketCredentialSchema.nullish(),
  trial_end_date: timestampInput().nullish(),
  device_to_call_ratio: z.number().int().optional(),
  deactivated_reason: optionalText(255),
  stripe_customer_id: optionalText(56),
  subspace_client_id: optionalText(255),
  subspace_client_secret: optionalText(255),
  subspace_sip_teleport_id: optionalText(255),
  subspace_sip_teleport_destinations: optionalText(255),
  /** These are accepted because clients send complete records back, and ignored. */
  created_at: z.unknown().optional(),
  subscription: z.unknown().optional(),
})

/** Service providers may omit their own SID; administrators must name the provider. */
export const accountDraftSchema = columns.extend({ service_provider_sid: optionalSid() })

/** The owner never changes. The field is declared only so that the API's own message refuses it. */
export const accountChangesSchema = columns.partial().extend({ service_provider_sid: sid().optional() })

export type Account = z.output<typeof accountSchema>
export type AccountDraft = z.input<typeof accountDraftSchema>
export type AccountChanges = z.input<typeof accountChangesSchema>
