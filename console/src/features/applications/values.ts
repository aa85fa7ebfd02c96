import type { Application } from '@trunkline/contract/shapes/application'
import { fallbackColumns, primaryColumns, type SpeechColumns } from '@trunkline/contract/speech/selection'
import { filledEnv, type EnvSchema, type EnvValues } from '@trunkline/contract/telephony/app-env'
import { webhookBody, webhookValue, type WebhookValue } from '../../fields/webhook'
import { changed } from '../../kit/changed'

/** An application as its form holds it. */
export interface ApplicationValues extends SpeechColumns {
  name: string
  account_sid: string | null
  record_all_calls: number
  call_hook: WebhookValue
  call_status_hook: WebhookValue
  messaging_hook: WebhookValue
  /** As they are stored or typed in; what the calling webhook takes of them is sent. Null: stored, but not to be read. */
  env_vars: EnvValues | null
  app_json: string
  use_for_fallback_speech: number
}

/** JSON as a person reads it; what is not JSON stays as it is. */
const pretty = (text: string | null | undefined) => {
  if (!text) return ''
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** What a new application begins with. */
const usual: Partial<SpeechColumns> = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'en-US-Standard-C',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
}

const allColumns = [...primaryColumns, ...fallbackColumns]

/** The columns of speech alone. */
export const speechOf = (columns: Partial<SpeechColumns>): SpeechColumns =>
  Object.fromEntries(allColumns.map((name) => [name, columns[name] ?? null])) as SpeechColumns

const hookValues = (record: Application | undefined) => ({
  call_hook: webhookValue(record?.call_hook),
  call_status_hook: webhookValue(record?.call_status_hook),
  messaging_hook: webhookValue(record?.messaging_hook),
})

/** The variables of an application; null where its server cannot read them. */
export const storedVariables = (record: Application | undefined): EnvValues | null =>
  record?.unreadable?.includes('env_vars') ? null : { ...record?.env_vars }

/** `account_sid`: the account that a new application is most likely for. */
export const applicationValues = (
  record: Application | undefined,
  account_sid: string | null = null,
): ApplicationValues => ({
  name: record?.name ?? '',
  account_sid: record ? record.account_sid : account_sid,
  record_all_calls: record?.record_all_calls ?? 0,
  ...hookValues(record),
  env_vars: storedVariables(record),
  app_json: pretty(record?.app_json),
  use_for_fallback_speech: record?.use_for_fallback_speech ?? 0,
  ...speechOf(record ?? usual),
})

const blankIsNone = (columns: SpeechColumns) =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value?.trim() || null])) as SpeechColumns

/** The columns of speech as they are sent: without a second place its columns are empty. */
const speechBody = (values: ApplicationValues) => {
  const { use_for_fallback_speech } = values
  const speech = blankIsNone(speechOf(values))
  if (!use_for_fallback_speech) for (const name of fallbackColumns) speech[name] = null
  const { speech_synthesis_vendor, speech_synthesis_language, speech_recognizer_vendor, speech_recognizer_language } =
    speech
  return {
    ...speech,
    // the first place is never empty
    speech_synthesis_vendor: speech_synthesis_vendor ?? undefined,
    speech_synthesis_language: speech_synthesis_language ?? undefined,
    speech_recognizer_vendor: speech_recognizer_vendor ?? undefined,
    speech_recognizer_language: speech_recognizer_language ?? undefined,
    use_for_fallback_speech: use_for_fallback_speech ? (1 as const) : (0 as const),
  }
}

const columnsOf = (values: ApplicationValues) => ({
  name: values.name.trim(),
  account_sid: values.account_sid ?? undefined,
  record_all_calls: values.record_all_calls ? (1 as const) : (0 as const),
  call_hook: webhookBody(values.call_hook),
  call_status_hook: webhookBody(values.call_status_hook),
  messaging_hook: webhookBody(values.messaging_hook),
  app_json: values.app_json.trim() || null,
  ...speechBody(values),
})

/** The variables that the calling webhook takes, null when none is filled in; nothing is said of them where it is silent. */
const variablesOf = ({ env_vars }: ApplicationValues, schema: EnvSchema | null) => {
  if (!schema || !env_vars) return {}
  const filled = filledEnv(schema, env_vars)
  return { env_vars: Object.keys(filled).length > 0 ? filled : null }
}

/** A new application, with what it has. */
export const applicationDraft = (values: ApplicationValues, schema: EnvSchema | null = null) => {
  const { call_hook, call_status_hook, messaging_hook, app_json, ...needed } = columnsOf(values)
  const { env_vars } = variablesOf(values, schema)
  return {
    ...needed,
    // one that is missing is wrong at its address, not as a whole
    call_hook: call_hook ?? { url: '' },
    call_status_hook: call_status_hook ?? { url: '' },
    ...(messaging_hook ? { messaging_hook } : {}),
    ...(app_json ? { app_json } : {}),
    ...(env_vars ? { env_vars } : {}),
  }
}

/** What of an application was changed, and its name: there are servers that refuse an update without anything in it. */
export const applicationChanges = (values: ApplicationValues, record: Application, schema: EnvSchema | null = null) => {
  const now = { ...columnsOf(values), ...variablesOf(values, schema) }
  const before = { ...columnsOf(applicationValues(record)), env_vars: record.env_vars }
  return { ...changed(now, before as typeof now), name: now.name }
}
