import type { Actor } from '@trunkline/contract/policy/actor'
import type { Account } from '@trunkline/contract/shapes/account'
import { toWebhookBody, toWebhookValue, type WebhookValue } from '../../fields/webhook-field'
import { getChangedFields } from '../../kit/form/changed-fields'
import { noLimits, type LimitValues } from '../../panels/limit-values'
import { toBucketBody, toBucketValues, readStoredBucket, type BucketValues } from './bucket-values'

/** An account with its limits, which the edit screen reads in two requests. */
export type AccountWithLimits = Account & { limits: LimitValues }

/** The form values of an account. */
export interface AccountValues {
  name: string
  sip_realm: string
  enable_debug_log: number
  registration_hook: WebhookValue
  queue_event_hook: WebhookValue
  device_calling_application_sid: string | null
  siprec_hook_sid: string | null
  record_all_calls: number
  record_format: string
  bucket_credential: BucketValues
  limits: LimitValues
}

/** Defaults of a new account. */
const newAccount = {
  name: '',
  sip_realm: null,
  enable_debug_log: 0,
  registration_hook: null,
  queue_event_hook: null,
  device_calling_application_sid: null,
  siprec_hook_sid: null,
  record_all_calls: 0,
  record_format: 'mp3',
  limits: noLimits,
} satisfies Partial<AccountWithLimits>

export const toAccountValues = (record: AccountWithLimits | undefined): AccountValues => {
  const row = record ?? newAccount
  return {
    name: row.name ?? '',
    sip_realm: row.sip_realm ?? '',
    // servers with an older schema omit this column
    enable_debug_log: row.enable_debug_log ?? 0,
    registration_hook: toWebhookValue(row.registration_hook),
    // queue events are always posted
    queue_event_hook: { ...toWebhookValue(row.queue_event_hook), method: 'POST' },
    device_calling_application_sid: row.device_calling_application_sid,
    siprec_hook_sid: row.siprec_hook_sid ?? null,
    record_all_calls: row.record_all_calls ?? 0,
    record_format: row.record_format ?? 'mp3',
    bucket_credential: toBucketValues(readStoredBucket(record)),
    limits: row.limits,
  }
}

const toColumns = (values: AccountValues, record: AccountWithLimits | undefined) => ({
  name: values.name.trim(),
  sip_realm: values.sip_realm.trim().toLowerCase() || null,
  enable_debug_log: values.enable_debug_log,
  registration_hook: toWebhookBody(values.registration_hook),
  queue_event_hook: toWebhookBody(values.queue_event_hook),
  device_calling_application_sid: values.device_calling_application_sid,
  siprec_hook_sid: values.siprec_hook_sid,
  record_all_calls: values.record_all_calls,
  record_format: values.record_format,
  bucket_credential: toBucketBody(values.bucket_credential, readStoredBucket(record)),
})

/** Returns the body that creates an account: its provider, and the fields of the add form that have a value. */
export const toAccountDraft = (values: AccountValues, service_provider_sid: string) => {
  const { name, sip_realm, registration_hook, queue_event_hook, enable_debug_log } = toColumns(values, undefined)
  return {
    name,
    service_provider_sid,
    ...(sip_realm ? { sip_realm } : {}),
    ...(enable_debug_log ? { enable_debug_log } : {}),
    ...(registration_hook ? { registration_hook } : {}),
    ...(queue_event_hook ? { queue_event_hook } : {}),
  }
}

/**
 * Returns the changed columns. Account users may not change the realm, and servers refuse their updates if it is
 * included. Removing the bucket turns recording off too, because recordings need a bucket.
 */
export const getAccountChanges = (values: AccountValues, record: AccountWithLimits, actor: Actor) => {
  const { sip_realm, ...columns } = toColumns(values, record)
  const { sip_realm: realmBefore, ...columnsBefore } = toColumns(toAccountValues(record), record)
  const changes = {
    ...getChangedFields(columns, columnsBefore),
    ...(actor.scope !== 'account' && sip_realm !== realmBefore ? { sip_realm } : {}),
  }
  return changes.bucket_credential?.vendor === 'none' ? { ...changes, record_all_calls: 0 } : changes
}
