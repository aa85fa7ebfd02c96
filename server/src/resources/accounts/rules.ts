import type { Actor } from '@trunkline/contract/policy/actor'
import type { Row } from '../../db/repository'
import { toColumnTime } from '../../db/time'
import { badRequest, forbidden } from '../../http/problem'
import { checkHookUrls, type HookDraft } from '../webhooks/public'
import { accountHookFields, type StoredAccount } from './repository'

/** What the platform and its customer have agreed on. The customer alone does not change it. */
const contractFields = [
  'is_active',
  'plan_type',
  'trial_end_date',
  'device_to_call_ratio',
  'deactivated_reason',
  'stripe_customer_id',
] as const

/** Values in one form, however they came: flags as numbers, moments to the second. */
const normalize = (field: string, value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return field === 'trial_end_date' && typeof value === 'string' ? toColumnTime(new Date(value)) : value
}

/** An account's own users may repeat what is agreed, as clients do that send a whole record, but not change it. */
export const checkContractFields = (changes: Row, current: StoredAccount, actor: Actor): void => {
  if (actor.scope !== 'account') return
  const changedField = contractFields.find(
    (field) => changes[field] !== undefined && normalize(field, changes[field]) !== normalize(field, current[field]),
  )
  if (changedField) throw forbidden(`insufficient permissions to change ${changedField}`, changedField)
}

/** Queue events are posted. A webhook that was stored otherwise may stay so. */
const checkQueueHook = (values: Row, current?: StoredAccount): void => {
  const hook = values.queue_event_hook as HookDraft | null | undefined
  if (!hook?.url || hook.method !== 'GET' || current?.queue_event_hook?.method === 'GET') return
  throw badRequest('queue_event_hook.method must be POST', 'queue_event_hook.method')
}

/** Webhooks have addresses that can be called, and queue events a method of their own. */
export const checkHooks = (values: Row, current?: StoredAccount): void => {
  checkQueueHook(values, current)
  checkHookUrls(accountHookFields, values, current)
}
