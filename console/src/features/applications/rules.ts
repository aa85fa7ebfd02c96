import { messages } from '@trunkline/contract/messages/application'
import { messages as speechMessages } from '@trunkline/contract/messages/speech-credential'
import { applicationsOfAccount } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import type { EnvSchema } from '@trunkline/contract/telephony/app-env'
import { describeAppJsonError } from '@trunkline/contract/telephony/verbs'
import type { FieldErrors } from '../../kit/form/form'
import { rethrowDuplicate } from '../../kit/form/duplicate-value'
import { validateWebhooks } from '../../panels/webhook-rules'
import { requestList } from '../../lib/request-list'
import { findVariableErrors } from './env-schema'
import type { ApplicationValues } from './values'

/** Fallback speech needs at least one vendor. */
const findFallbackErrors = (values: ApplicationValues): FieldErrors => {
  const { use_for_fallback_speech, fallback_speech_synthesis_vendor, fallback_speech_recognizer_vendor } = values
  const isVendorMissing =
    use_for_fallback_speech && !fallback_speech_synthesis_vendor && !fallback_speech_recognizer_vendor
  return isVendorMissing ? { fallback_speech_synthesis_vendor: speechMessages.noFallback } : {}
}

/** Validates the form without the server. `schema` lists the variables that the calling webhook accepts. */
export const findApplicationErrors = (values: ApplicationValues, schema: EnvSchema | null): FieldErrors => {
  const { call_hook, call_status_hook, messaging_hook, app_json } = values
  const appJsonError = app_json.trim() ? describeAppJsonError(app_json) : undefined
  return {
    ...validateWebhooks({ call_hook, call_status_hook, messaging_hook }),
    ...(appJsonError ? { app_json: appJsonError } : {}),
    ...(schema ? findVariableErrors(schema, values) : {}),
    ...findFallbackErrors(values),
  }
}

/** The server's maximum page size; more name matches than this are not expected. */
const maxMatches = 1000

/** Returns an error if another application of the account has the name. Names are unique per account. */
export const findDuplicateNameErrors = async (
  values: ApplicationValues,
  record: Application | undefined,
  ownAccountSid: string | undefined,
): Promise<FieldErrors> => {
  const name = values.name.trim()
  const account_sid = ownAccountSid ?? values.account_sid
  if (!account_sid || (name === record?.name && account_sid === record.account_sid)) return {}
  const query = { name, page: 1, page_size: maxMatches }
  const { rows } = await requestList(applicationsOfAccount, { params: { account_sid }, query })
  const isDuplicate = rows.some((row) => row.name === name && row.application_sid !== record?.application_sid)
  return isDuplicate ? { name: messages.duplicateName } : {}
}

/** Rethrows the server's error about a duplicate name as a field error with the same message. */
export const rethrowDuplicateName = rethrowDuplicate({
  field: 'name',
  indexName: 'applications_idx_name',
  message: messages.duplicateName,
})
