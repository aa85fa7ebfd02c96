import type { Application } from '@trunkline/contract/shapes/application'
import { fallbackColumns, primaryColumns, type SpeechColumns } from './speech-columns'
import { convertEnv, type EnvSchema, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { toWebhookBody, toWebhookValue, type WebhookValue } from '../../fields/webhook-field'
import { getChangedFields } from '../../kit/form/changed-fields'

/** The form values of an application. */
export interface ApplicationValues extends SpeechColumns {
  name: string
  account_sid: string | null
  record_all_calls: number
  call_hook: WebhookValue
  call_status_hook: WebhookValue
  messaging_hook: WebhookValue
  /**
   * All stored and typed variables; only those that the calling webhook accepts are sent. Null if the server cannot
   * decrypt the stored ones.
   */
  env_vars: EnvValues | null
  app_json: string
  use_for_fallback_speech: number
}

/** Indents JSON; returns any other text unchanged. */
const formatJson = (text: string | null | undefined) => {
  if (!text) return ''
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The speech defaults of a new application. */
const speechDefaults: Partial<SpeechColumns> = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'en-US-Standard-C',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
}

const speechColumns = [...primaryColumns, ...fallbackColumns]

/** Picks the speech columns. */
export const pickSpeechColumns = (columns: Partial<SpeechColumns>): SpeechColumns =>
  Object.fromEntries(speechColumns.map((name) => [name, columns[name] ?? null])) as SpeechColumns

const toWebhookValues = (record: Application | undefined) => ({
  call_hook: toWebhookValue(record?.call_hook),
  call_status_hook: toWebhookValue(record?.call_status_hook),
  messaging_hook: toWebhookValue(record?.messaging_hook),
})

/** The variables of an application; null if its server cannot decrypt them. */
export const getStoredVariables = (record: Application | undefined): EnvValues | null =>
  record?.unreadable?.includes('env_vars') ? null : { ...record?.env_vars }

/** Returns the form values. `account_sid`: the default account of a new application. */
export const toApplicationValues = (
  record: Application | undefined,
  account_sid: string | null = null,
): ApplicationValues => ({
  name: record?.name ?? '',
  account_sid: record ? record.account_sid : account_sid,
  record_all_calls: record?.record_all_calls ?? 0,
  ...toWebhookValues(record),
  env_vars: getStoredVariables(record),
  app_json: formatJson(record?.app_json),
  use_for_fallback_speech: record?.use_for_fallback_speech ?? 0,
  ...pickSpeechColumns(record ?? speechDefaults),
})

const blanksToNull = (columns: SpeechColumns) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value?.trim() || null])) as SpeechColumns

/** The speech columns to send. Without fallback speech, its columns are null. */
const toSpeechBody = (values: ApplicationValues) => {
  const { use_for_fallback_speech } = values
  const columns = blanksToNull(pickSpeechColumns(values))
  if (!use_for_fallback_speech) for (const name of fallbackColumns) columns[name] = null
  const { speech_synthesis_vendor, speech_synthesis_language, speech_recognizer_vendor, speech_recognizer_language } =
    columns
  return {
    ...columns,
    // the primary vendor and language are never null: an empty value is omitted
    speech_synthesis_vendor: speech_synthesis_vendor ?? undefined,
    speech_synthesis_language: speech_synthesis_language ?? undefined,
    speech_recognizer_vendor: speech_recognizer_vendor ?? undefined,
    speech_recognizer_language: speech_recognizer_language ?? undefined,
    use_for_fallback_speech: use_for_fallback_speech ? (1 as const) : (0 as const),
  }
}

const toColumns = (values: ApplicationValues) => ({
  name: values.name.trim(),
  account_sid: values.account_sid ?? undefined,
  record_all_calls: values.record_all_calls ? (1 as const) : (0 as const),
  call_hook: toWebhookBody(values.call_hook),
  call_status_hook: toWebhookBody(values.call_status_hook),
  messaging_hook: toWebhookBody(values.messaging_hook),
  app_json: values.app_json.trim() || null,
  ...toSpeechBody(values),
})

/** The variables to send: those in the schema, or null if none has a value. Omitted if the webhook has no schema. */
const toVariables = ({ env_vars }: ApplicationValues, schema: EnvSchema | null) => {
  if (!schema || !env_vars) return {}
  const variables = convertEnv(schema, env_vars)
  return { env_vars: Object.keys(variables).length > 0 ? variables : null }
}

/** Returns the body that creates an application. */
export const toApplicationDraft = (values: ApplicationValues, schema: EnvSchema | null = null) => {
  const { call_hook, call_status_hook, messaging_hook, app_json, ...requiredColumns } = toColumns(values)
  const { env_vars } = toVariables(values, schema)
  return {
    ...requiredColumns,
    // an empty URL, so that the server reports the missing webhook at its URL field
    call_hook: call_hook ?? { url: '' },
    call_status_hook: call_status_hook ?? { url: '' },
    ...(messaging_hook ? { messaging_hook } : {}),
    ...(app_json ? { app_json } : {}),
    ...(env_vars ? { env_vars } : {}),
  }
}

/** Returns the changed columns, and always the name: some servers refuse an empty update. */
export const getApplicationChanges = (
  values: ApplicationValues,
  record: Application,
  schema: EnvSchema | null = null,
) => {
  const columns = { ...toColumns(values), ...toVariables(values, schema) }
  const columnsBefore = { ...toColumns(toApplicationValues(record)), env_vars: record.env_vars }
  return { ...getChangedFields(columns, columnsBefore as typeof columns), name: columns.name }
}
