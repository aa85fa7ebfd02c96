import type { Actor } from '@trunkline/contract/policy/actor'
import type { Row } from '../../db/repository'
import { toColumnTime } from '../../db/time'
import { badRequest, forbidden } from '../../http/problem'
import { checkHookUrls, type HookDraft } from '../webhooks/public'
import { accountHooks, type StoredAccount } from './repository'

/** What the platform and its customer have agreed on. The customer alone does not change it. */
const agreed = [
  'is_active',
  'plan_type',
  'trial_end_date',
  'device_to_call_ratio',
  'deactivated_reason',
  'stripe_customer_id',
] as const

/** Values in one form, however they came: flags as numbers, moments to the second. */
const plain = (field: string, value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return field === 'trial_end_date' && typeof value === 'string' ? toColumnTime(new Date(value)) : value
}

/** An account's own users may repeat what is agreed, as clients do that send a whole record, but not change it. */
export const checkAgreed = (changes: Row, before: StoredAccount, actor: Actor): void => {
  if (actor.scope !== 'account') return
  const changed = agreed.find(
    (field) => changes[field] !== undefined && plain(field, changes[field]) !== plain(field, before[field]),
  )
  if (changed) throw forbidden(`insufficient permissions to change ${changed}`, changed)
}

/** Queue events are posted. A webhook that was stored otherwise may stay so. */
const checkQueueHook = (values: Row, before?: StoredAccount): void => {
  const hook = values.queue_event_hook as HookDraft | null | undefined
  if (!hook?.url || hook.method !== 'GET' || before?.queue_event_hook?.method === 'GET') return
  throw badRequest('queue_event_hook.method must be POST', 'queue_event_hook.method')
}

/** Webhooks have addresses that can be called, and queue events a method of their own. */
export const checkHooks = (values: Row, before?: StoredAccount): void => {
  checkQueueHook(values, before)
  checkHookUrls(accountHooks, values, before)
}
