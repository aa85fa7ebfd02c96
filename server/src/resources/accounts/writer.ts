import type { Actor } from '@trunkline/contract/policy/actor'
import type { WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { toColumnTime } from '../../db/time'
import { withTransaction } from '../../db/transaction'
import { badRequest } from '../../http/problem'
import { omitUndecryptable } from '../../http/unreadable-values'
import { generateWebhookSecret } from '../../secrets/ids'
import type { Services } from '../../composition/services'
import { immutableField } from '../../shared/refusals'
import { removeBilledAccount } from '../subscriptions/public'
import { scheduleAccountRecords } from '../sip-realms/public'
import type { WebhookDraft, Webhooks } from '../webhooks/public'
import type { BucketCredentials } from './bucket-credentials'
import { deleteAccountContents, endAccountSessions } from './removal'
import { accountWebhookFields, type StoredAccount } from './repository'
import {
  createAccountRules,
  checkCommercialFields,
  checkWebhooks,
  type AccountDeletionRequest,
  type AccountRuleServices,
} from './rules'

export type AccountServices = AccountRuleServices &
  Pick<Services, 'store' | 'webhooks' | 'bucketCredentials' | 'recordingStore' | 'billing'>

const toColumns = ({ created_at: _, subscription: __, trial_end_date, ...values }: Row): Row => ({
  ...values,
  ...(trial_end_date === undefined
    ? {}
    : { trial_end_date: trial_end_date === null ? null : toColumnTime(new Date(trial_end_date as string)) }),
})

/** Replaces the bucket credential in the values, if any, with its ciphertext. */
const encryptBucketCredential = async (
  values: Row,
  account_sid: string,
  actor: Actor,
  bucketCredentials: BucketCredentials,
): Promise<Row> => {
  if (!('bucket_credential' in values)) return values
  const credential = values.bucket_credential as Row | null
  return { ...values, bucket_credential: await bucketCredentials.encrypt(account_sid, credential, actor) }
}

/** Saves the webhooks in the values, and returns the values with the SIDs of the webhooks instead. */
const saveWebhooks = async (
  values: Row,
  current: Partial<StoredAccount>,
  actor: Actor,
  { webhooks, tx }: { webhooks: Webhooks; tx: Connection },
): Promise<Row> => {
  const columns = { ...values }
  for (const field of accountWebhookFields) {
    if (!(field in values)) continue
    const draft = values[field] as WebhookDraft | null | undefined
    delete columns[field]
    columns[`${field}_sid`] = await webhooks.save(draft?.url ? draft : null, current[`${field}_sid`] ?? null, {
      actor,
      connection: tx,
      field,
    })
  }
  return columns
}

/** Inserts, updates and removes accounts with their webhooks and bucket credentials. */
export const createAccountWriter = (services: AccountServices) => {
  const { store, accounts, applications, webhooks, bucketCredentials, recordingStore } = services
  const { db } = store.database
  const rules = createAccountRules(services)

  return {
    async insert(draft: Row, account_sid: string, service_provider_sid: string, actor: Actor): Promise<void> {
      checkWebhooks(draft)
      await rules.checkRealmIsUnique(draft.sip_realm)
      await rules.checkApplicationReferences(draft, account_sid)
      const columns = {
        ...toColumns(draft),
        account_sid,
        service_provider_sid,
        webhook_secret: generateWebhookSecret(),
      }
      const values = await encryptBucketCredential(columns, account_sid, actor, bucketCredentials)
      await withTransaction(db, async (tx) => {
        await rules.checkNameIsUnique(draft.name, service_provider_sid, tx)
        await accounts.insert(await saveWebhooks(values, {}, actor, { webhooks, tx }), tx)
      })
    },

    async update(current: WithOwner<StoredAccount>, input: Row, actor: Actor): Promise<void> {
      const { account_sid } = current
      const changes = omitUndecryptable(input, current)
      checkCommercialFields(changes, current, actor)
      checkWebhooks(changes, current)
      if (changes.service_provider_sid !== undefined) throw immutableField('service_provider_sid')
      if (actor.scope === 'account' && changes.sip_realm && changes.sip_realm !== current.sip_realm)
        throw badRequest('use POST /Accounts/:sid/sip_realm/:realm to set or change the sip realm', 'sip_realm')
      await rules.checkRealmIsUnique(changes.sip_realm, account_sid)
      await rules.checkApplicationReferences(changes, account_sid, current)
      const values = await encryptBucketCredential(toColumns(changes), account_sid, actor, bucketCredentials)
      await withTransaction(db, async (tx) => {
        await rules.lockApplicationReferences(changes, account_sid, tx, current)
        await rules.checkNameIsUnique(changes.name, current.service_provider_sid, tx, current)
        if (changes.sip_realm !== undefined && changes.sip_realm !== current.sip_realm)
          await scheduleAccountRecords(account_sid, tx)
        await accounts.update(account_sid, await saveWebhooks(values, current, actor, { webhooks, tx }), tx)
        if (current.is_active && changes.is_active !== undefined && !changes.is_active)
          await endAccountSessions(account_sid, tx)
        await webhooks.removeUnlinked([current.registration_hook_sid, current.queue_event_hook_sid], tx)
      })
    },

    async remove(current: WithOwner<StoredAccount>, actor: Actor, request: AccountDeletionRequest): Promise<void> {
      const { account_sid, registration_hook_sid, queue_event_hook_sid } = current
      await rules.checkDeletionPassword(actor, request)
      await removeBilledAccount(services.billing, account_sid, (recordRemoval) =>
        withTransaction(db, async (tx) => {
          await recordRemoval(tx)
          const applicationWebhookSids = await applications.webhookSidsOfAccount(account_sid, tx)
          await deleteAccountContents(account_sid, tx)
          await accounts.remove(account_sid, tx)
          await webhooks.removeUnlinked([registration_hook_sid, queue_event_hook_sid, ...applicationWebhookSids], tx)
        }),
      )
      await recordingStore.removeByAccount(account_sid)
    },
  }
}
