import * as z from 'zod'
import { bit, flag, longText, optionalText, timestamp, name, optionalSid, text, unchangedSid } from '../kit/fields'
import { maxLengths } from '../speech/storable-catalogue'
import { findAppJsonRefusal } from '../telephony/verbs'
import { findWebhookUrlError } from '../telephony/webhook-url'
import { checkBasicAuth, webhookDraftSchema, webhookSchema } from './webhook'

export const applicationSchema = z.object({
  application_sid: z.string(),
  name: z.string(),
  service_provider_sid: z.string().nullable(),
  account_sid: z.string().nullable(),
  /** A Trunkline addition: the name of the account, so that a list needs no second request. */
  account_name: z.string().nullable().optional(),
  app_json: z.string().nullable(),
  call_hook: webhookSchema.nullable(),
  call_status_hook: webhookSchema.nullable(),
  messaging_hook: webhookSchema.nullable(),
  speech_synthesis_vendor: z.string(),
  speech_synthesis_language: z.string(),
  speech_synthesis_voice: z.string().nullable(),
  speech_synthesis_label: z.string().nullable(),
  speech_recognizer_vendor: z.string(),
  speech_recognizer_language: z.string(),
  speech_recognizer_label: z.string().nullable(),
  use_for_fallback_speech: bit().nullable(),
  fallback_speech_synthesis_vendor: z.string().nullable(),
  fallback_speech_synthesis_language: z.string().nullable(),
  fallback_speech_synthesis_voice: z.string().nullable(),
  fallback_speech_synthesis_label: z.string().nullable(),
  fallback_speech_recognizer_vendor: z.string().nullable(),
  fallback_speech_recognizer_language: z.string().nullable(),
  fallback_speech_recognizer_label: z.string().nullable(),
  env_vars: z.record(z.string(), z.unknown()).nullable(),
  /** A Trunkline addition: fields that this server cannot decrypt, returned as null. Absent if there are none. */
  unreadable: z.array(z.string()).optional(),
  record_all_calls: bit(),
  created_at: timestamp(),
})

/** A webhook with a valid URL or none. */
const createHookSchema = (field: string) =>
  webhookDraftSchema.superRefine((value, context) => {
    const error = value.url ? findWebhookUrlError(field, value.url) : undefined
    if (error) context.addIssue({ code: 'custom', path: ['url'], message: error })
  })

const formatTypeError = (field: string) => `'${field}' must be an object when adding an application`

const createRequiredHookSchema = (field: string) =>
  z
    .looseObject(
      {},
      { error: (issue) => (issue.input === undefined ? `missing field ${field}` : formatTypeError(field)) },
    )
    .pipe(createHookSchema(field))
    .superRefine(({ username = null, password = null }, context) => checkBasicAuth({ username, password }, context))
    .refine((value) => value.url, { path: ['url'], message: `missing field ${field}.url` })

const speech = {
  speech_synthesis_vendor: text(maxLengths.vendor).optional(),
  speech_synthesis_language: text(maxLengths.synthesisLanguage).optional(),
  speech_synthesis_voice: optionalText(maxLengths.voice),
  speech_synthesis_label: optionalText(maxLengths.label),
  speech_recognizer_vendor: text(maxLengths.vendor).optional(),
  speech_recognizer_language: text(maxLengths.recognitionLanguage).optional(),
  speech_recognizer_label: optionalText(maxLengths.label),
  use_for_fallback_speech: flag().nullish(),
  fallback_speech_synthesis_vendor: optionalText(maxLengths.vendor),
  fallback_speech_synthesis_language: optionalText(maxLengths.synthesisLanguage),
  fallback_speech_synthesis_voice: optionalText(maxLengths.voice),
  fallback_speech_synthesis_label: optionalText(maxLengths.label),
  fallback_speech_recognizer_vendor: optionalText(maxLengths.vendor),
  fallback_speech_recognizer_language: optionalText(maxLengths.recognitionLanguage),
  fallback_speech_recognizer_label: optionalText(maxLengths.label),
}

/** Stored encrypted, which doubles the length. */
const envVars = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
  .refine((values) => longText(32_000).safeParse(JSON.stringify(values)).success, 'env_vars is too long')

const sharedColumns = {
  ...speech,
  app_json: longText()
    .superRefine((value, context) => {
      const error = value ? findAppJsonRefusal(value) : undefined
      if (error) context.addIssue({ code: 'custom', message: error })
    })
    .nullish(),
  env_vars: envVars.nullish(),
  record_all_calls: flag().optional(),
  service_provider_sid: optionalSid(),
  /** Accepted because clients send whole records back; ignored. */
  created_at: z.unknown().optional(),
}

export const applicationDraftSchema = z.strictObject({
  name: name(64, 'missing field name'),
  account_sid: optionalSid(),
  call_hook: createRequiredHookSchema('call_hook'),
  call_status_hook: createRequiredHookSchema('call_status_hook'),
  messaging_hook: createHookSchema('messaging_hook').nullish(),
  ...sharedColumns,
})

export const applicationChangesSchema = z.strictObject({
  name: name(64).optional(),
  account_sid: unchangedSid().refine((value) => value !== null),
  call_hook: createHookSchema('call_hook').nullish(),
  call_status_hook: createHookSchema('call_status_hook').nullish(),
  messaging_hook: createHookSchema('messaging_hook').nullish(),
  ...sharedColumns,
})

export type Application = z.output<typeof applicationSchema>
export type ApplicationDraft = z.input<typeof applicationDraftSchema>
export type ApplicationChanges = z.input<typeof applicationChangesSchema>
