import { fullReach } from '@trunkline/contract/policy/can'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Connection, Row } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { badRequest, forbidden } from '../../http/problem'
import { verifyPassword } from '../../secrets/password'
import type { Services } from '../../composition/services'
import { lockApplications } from '../../shared/application-lock'
import { duplicate, unknownReference } from '../../shared/refusals'
import { checkWebhookUrls, type WebhookDraft } from '../webhooks/public'
import { accountWebhookFields, type StoredAccount } from './repository'

/** Fields that depend on the plan of the account. Its own users cannot change them. */
const commercialFields = [
  'is_active',
  'plan_type',
  'trial_end_date',
  'device_to_call_ratio',
  'deactivated_reason',
  'stripe_customer_id',
] as const

/** Normalizes values for comparison: flags as numbers, timestamps in seconds. */
const toComparable = (field: string, value: unknown) => {
  if (typeof value === 'boolean') return Number(value)
  return field === 'trial_end_date' && typeof value === 'string' ? toColumnTime(new Date(value)) : value
}

/**
 * Throws 403 if a user or API key of the account changes a commercial field. Unchanged values are accepted, because clients
 * may send the complete record.
 */
export const checkCommercialFields = (changes: Row, current: StoredAccount, actor: Actor): void => {
  if (actor.scope !== 'account') return
  const changedField = commercialFields.find(
    (field) =>
      changes[field] !== undefined && toComparable(field, changes[field]) !== toComparable(field, current[field]),
  )
  if (changedField) throw forbidden(`insufficient permissions to change ${changedField}`, changedField)
}

/** Throws 400 if queue events would be sent with GET. A stored webhook with GET may stay. */
const checkQueueEventWebhook = (values: Row, current?: StoredAccount): void => {
  const draft = values.queue_event_hook as WebhookDraft | null | undefined
  if (!draft?.url || draft.method !== 'GET' || current?.queue_event_hook?.method === 'GET') return
  throw badRequest('queue_event_hook.method must be POST', 'queue_event_hook.method')
}

/** Throws 400 if a webhook in the values is invalid. */
export const checkWebhooks = (values: Row, current?: StoredAccount): void => {
  checkQueueEventWebhook(values, current)
  checkWebhookUrls(accountWebhookFields, values, current)
}

/** The applications that the values newly refer to. */
const listChangedApplications = (values: Row, current: Row): { field: string; application_sid: string }[] =>
  ['device_calling_application_sid', 'siprec_hook_sid'].flatMap((field) => {
    const application_sid = values[field]
    return typeof application_sid === 'string' && application_sid !== current[field] ? [{ field, application_sid }] : []
  })

export type AccountRuleServices = Pick<
  Services,
  'accounts' | 'applications' | 'providers' | 'users' | 'lockout' | 'passwordCost'
>

/** The parts of a request to delete an account that are needed to check its password. */
export interface AccountDeletionRequest {
  body: unknown
  ip: string
}

/** The checks of accounts that read the database. */
export const createAccountRules = ({
  accounts,
  applications,
  providers,
  users,
  lockout,
  passwordCost,
}: AccountRuleServices) => ({
  /** Throws 422 for a duplicate name. Locks the provider, so that only one of two parallel requests gets the name. */
  async checkNameIsUnique(
    name: unknown,
    service_provider_sid: string,
    tx: Connection,
    current?: StoredAccount,
  ): Promise<void> {
    if (typeof name !== 'string' || name === current?.name) return
    await providers.lockRow(service_provider_sid, tx)
    if (await accounts.isDuplicateName(name, service_provider_sid, current?.account_sid, tx))
      throw duplicate(name, 'name')
  },

  async checkRealmIsUnique(sip_realm: unknown, exceptSid?: string): Promise<void> {
    if (typeof sip_realm === 'string' && (await accounts.isDuplicateRealm(sip_realm, exceptSid)))
      throw duplicate(sip_realm, 'sip_realm')
  },

  /** Checks that referenced applications belong to the account. Those of other accounts are reported as unknown. */
  async checkApplicationReferences(values: Row, account_sid: string, current: Row = {}): Promise<void> {
    for (const { field, application_sid } of listChangedApplications(values, current)) {
      const application = await applications.find(fullReach, application_sid)
      if (application?.account_sid !== account_sid) throw unknownReference(field)
    }
  },

  /** Locks referenced applications, so that they do not move to another account before the account is written. */
  async lockApplicationReferences(values: Row, account_sid: string, tx: Connection, current: Row = {}): Promise<void> {
    for (const { field, application_sid } of listChangedApplications(values, current))
      await lockApplications(applications, [{ application_sid, account_sid }], tx, field)
  },

  /** Users of the account with a local password must enter it before the account is deleted. */
  async checkDeletionPassword(actor: Actor, { body, ip }: AccountDeletionRequest): Promise<void> {
    if (actor.scope !== 'account' || !actor.user_sid) return
    const user = await users.find(fullReach, actor.user_sid)
    if (user?.provider !== 'local') return
    const password = (body as { password?: unknown } | undefined)?.password
    if (typeof password !== 'string' || password === '') throw badRequest('password is required', 'password')
    const verify = () => verifyPassword(user.hashed_password, password, passwordCost)
    if ((await lockout.attempt(user.user_sid, ip, verify)) !== 'correct') throw forbidden('password is incorrect')
  },
})
