import type { Actor } from '@trunkline/contract/policy/actor'
import type { Row } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { badRequest, forbidden } from '../../http/problem'
import { checkHookUrls, type HookDraft } from '../webhooks/public'
import { accountHookFields, type StoredAccount } from './repository'

/** Fields agreed between platform and customer. Users of the account cannot change them. */
const contractFields = [
  'is_active',
  'plan_type',
  'trial_end_date',
  'device_to_call_ratio',
  'deactivated_reason',
  'stripe_customer_id',
] as const

/** Normalizes values for comparison: flags as numbers, timestamps in seconds. */
const normalize = (field: string, value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return field === 'trial_end_date' && typeof value === 'string' ? toColumnTime(new Date(value)) : value
}

/** Users of the account may send these fields unchanged, as clients that send whole records do. */
export const checkContractFields = (changes: Row, current: StoredAccount, actor: Actor): void => {
  if (actor.scope !== 'account') return
  const changedField = contractFields.find(
    (field) => changes[field] !== undefined && normalize(field, changes[field]) !== normalize(field, current[field]),
  )
  if (changedField) throw forbidden(`insufficient permissions to change ${changedField}`, changedField)
}

/** Queue events are sent with POST. A stored webhook with GET may stay. */
const checkQueueHook = (values: Row, current?: StoredAccount): void => {
  const hook = values.queue_event_hook as HookDraft | null | undefined
  if (!hook?.url || hook.method !== 'GET' || current?.queue_event_hook?.method === 'GET') return
  throw badRequest('queue_event_hook.method must be POST', 'queue_event_hook.method')
}

export const checkHooks = (values: Row, current?: StoredAccount): void => {
  checkQueueHook(values, current)
  checkHookUrls(accountHookFields, values, current)
}
