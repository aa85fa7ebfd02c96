import { messages } from '@trunkline/contract/messages/application'
import { messages as speech } from '@trunkline/contract/messages/speech-credential'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import type { EnvSchema } from '@trunkline/contract/telephony/app-env'
import { describeAppJsonError } from '@trunkline/contract/telephony/verbs'
import type { FieldErrors } from '../../kit/form/form'
import { rethrowDuplicate } from '../../kit/form/duplicate-value'
import { validateWebhooks } from '../../panels/webhook-rules'
import { request } from '../../lib/client'
import { variableErrors } from './env-schema'
import type { ApplicationValues } from './values'

/** Fallback speech needs at least one vendor. */
const fallbackErrors = (values: ApplicationValues): FieldErrors => {
  const { use_for_fallback_speech, fallback_speech_synthesis_vendor, fallback_speech_recognizer_vendor } = values
  const missing = use_for_fallback_speech && !fallback_speech_synthesis_vendor && !fallback_speech_recognizer_vendor
  return missing ? { fallback_speech_synthesis_vendor: speech.noFallback } : {}
}

/** Client-side validation. `schema` lists the variables that the calling webhook accepts. */
export const applicationRules = (values: ApplicationValues, schema: EnvSchema | null): FieldErrors => {
  const { call_hook, call_status_hook, messaging_hook, app_json } = values
  const appJsonError = app_json.trim() ? describeAppJsonError(app_json) : undefined
  return {
    ...validateWebhooks({ call_hook, call_status_hook, messaging_hook }),
    ...(appJsonError ? { app_json: appJsonError } : {}),
    ...(schema ? variableErrors(schema, values) : {}),
    ...fallbackErrors(values),
  }
}

/** The server's maximum page size; more name matches than this are not expected. */
const maxMatches = 1000

/** Names are unique per account, so only the same account's applications are checked. */
export const findDuplicateName = async (
  values: ApplicationValues,
  record: Application | undefined,
  ownAccountSid: string | undefined,
): Promise<FieldErrors> => {
  const name = values.name.trim()
  const account_sid = ownAccountSid ?? values.account_sid
  if (!account_sid || (name === record?.name && account_sid === record.account_sid)) return {}
  const query = { name, page: 1, page_size: maxMatches }
  const response = await request(applicationsOfAccount, { params: { account_sid }, query })
  const rows = Array.isArray(response) ? response : response.data
  const isDuplicate = rows.some((row) => row.name === name && row.application_sid !== record?.application_sid)
  return isDuplicate ? { name: messages.duplicateName } : {}
}

/** Rethrows the server's duplicate-name error with the same field message. */
export const rethrowDuplicateName = rethrowDuplicate({
  field: 'name',
  indexName: 'applications_idx_name',
  message: messages.duplicateName,
})
