import type { Application } from '@trunkline/contract/shapes/application'
import { webhookBody, webhookValue, type WebhookValue } from '../../fields/webhook'
import { changed } from '../../kit/changed'

/** An application as its form holds it. */
export interface ApplicationValues {
  name: string
  account_sid: string | null
  call_hook: WebhookValue
  call_status_hook: WebhookValue
  messaging_hook: WebhookValue
  app_json: string
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

/** `account_sid`: the account that a new application is most likely for. */
export const applicationValues = (
  record: Application | undefined,
  account_sid: string | null = null,
): ApplicationValues => ({
  name: record?.name ?? '',
  account_sid: record ? record.account_sid : account_sid,
  call_hook: webhookValue(record?.call_hook),
  call_status_hook: webhookValue(record?.call_status_hook),
  messaging_hook: webhookValue(record?.messaging_hook),
  app_json: pretty(record?.app_json),
})

const columnsOf = (values: ApplicationValues) => ({
  name: values.name.trim(),
  account_sid: values.account_sid ?? undefined,
  call_hook: webhookBody(values.call_hook),
  call_status_hook: webhookBody(values.call_status_hook),
  messaging_hook: webhookBody(values.messaging_hook),
  app_json: values.app_json.trim() || null,
})

/** A new application says nothing of what it has not: speech begins with the server's own choice. */
export const applicationDraft = (values: ApplicationValues) => {
  const { call_hook, call_status_hook, messaging_hook, app_json, ...needed } = columnsOf(values)
  return {
    ...needed,
    // one that is missing is wrong at its address, not as a whole
    call_hook: call_hook ?? { url: '' },
    call_status_hook: call_status_hook ?? { url: '' },
    ...(messaging_hook ? { messaging_hook } : {}),
    ...(app_json ? { app_json } : {}),
  }
}

/** What of an application was changed, and its name: there are servers that refuse an update without anything in it. */
export const applicationChanges = (values: ApplicationValues, record: Application) => {
  const now = columnsOf(values)
  return { ...changed(now, columnsOf(applicationValues(record))), name: now.name }
}
