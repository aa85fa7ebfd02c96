import type { Actor } from '@trunkline/contract/policy/actor'
import type { Account } from '@trunkline/contract/shapes/account'
import { webhookBody, webhookValue, type WebhookValue } from '../../fields/webhook'
import { changed } from '../../kit/changed'

/** An account as its form holds it. */
export interface AccountValues {
  name: string
  sip_realm: string
  registration_hook: WebhookValue
  queue_event_hook: WebhookValue
  device_calling_application_sid: string | null
}

export const accountValues = (record: Account | undefined): AccountValues => ({
  name: record?.name ?? '',
  sip_realm: record?.sip_realm ?? '',
  registration_hook: webhookValue(record?.registration_hook),
  // queue events are always posted
  queue_event_hook: { ...webhookValue(record?.queue_event_hook), method: 'POST' },
  device_calling_application_sid: record?.device_calling_application_sid ?? null,
})

const columnsOf = (values: AccountValues) => ({
  name: values.name.trim(),
  sip_realm: values.sip_realm.trim().toLowerCase() || null,
  registration_hook: webhookBody(values.registration_hook),
  queue_event_hook: webhookBody(values.queue_event_hook),
  device_calling_application_sid: values.device_calling_application_sid,
})

/** A new account says whose it is, and nothing of what it does not have yet. */
export const accountDraft = (values: AccountValues, service_provider_sid: string) => {
  const { name, sip_realm, registration_hook, queue_event_hook } = columnsOf(values)
  return {
    name,
    service_provider_sid,
    ...(sip_realm ? { sip_realm } : {}),
    ...(registration_hook ? { registration_hook } : {}),
    ...(queue_event_hook ? { queue_event_hook } : {}),
  }
}

/** What of an account was changed. Its own users may not change the realm, and servers refuse an update that names it. */
export const accountChanges = (values: AccountValues, record: Account, actor: Actor) => {
  const { sip_realm, ...rest } = columnsOf(values)
  const { sip_realm: realmBefore, ...restBefore } = columnsOf(accountValues(record))
  return {
    ...changed(rest, restBefore),
    ...(actor.scope !== 'account' && sip_realm !== realmBefore ? { sip_realm } : {}),
  }
}
