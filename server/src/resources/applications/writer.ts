import type { Dependent } from '@trunkline/contract/kit/problem'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { WithOwner } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { inUse } from '../../http/problem'
import { requirePermission } from '../../http/resource-routes'
import { omitUndecryptable } from '../../http/unreadable-values'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Services } from '../../composition/services'
import { resolveAccountSid, findOwnerForAccount } from '../accounts/public'
import type { WebhookDraft, Webhooks } from '../webhooks/public'
import { applicationWebhookFields, type StoredApplication } from './repository'
import { checkNewEnvVars, checkRequiredWebhooks } from './rules'

export type ApplicationServices = Pick<
  Services,
  'store' | 'applications' | 'accounts' | 'webhooks' | 'encryption' | 'quotas' | 'fetchAppEnvSchema'
>

type CurrentApplication = WithOwner<StoredApplication>

const toColumns = ({ created_at: _, ...values }: Row, encryption: SecretEncryption): Row => {
  if (!('env_vars' in values)) return values
  return { ...values, env_vars: values.env_vars ? encryption.encrypt(JSON.stringify(values.env_vars)) : null }
}

/** Saves the webhooks in the values, and returns the values with the SIDs of the webhooks instead. */
const saveWebhooks = async (
  values: Row,
  current: Partial<StoredApplication>,
  actor: Actor,
  { webhooks, tx }: { webhooks: Webhooks; tx: Connection },
): Promise<Row> => {
  const columns = { ...values }
  for (const field of applicationWebhookFields) {
    if (!(field in values)) continue
    const draft = values[field] as WebhookDraft | null | undefined
    // An empty object means no change; null removes the webhook.
    const changedDraft = draft && Object.keys(draft).length === 0 ? undefined : draft
    delete columns[field]
    columns[`${field}_sid`] = await webhooks.save(changedDraft, current[`${field}_sid`] ?? null, {
      actor,
      connection: tx,
      field,
    })
  }
  return columns
}

const webhookSidsOf = (application: StoredApplication) =>
  applicationWebhookFields.map((field) => application[`${field}_sid`])

const moveRefusal = 'cannot move an application in use to another account'

const getDeletionRefusal = (dependents: Dependent[]): string =>
  dependents.some(({ kind }) => kind === 'phone_number')
    ? 'cannot delete application with phone numbers'
    : 'cannot delete application in use'

/** Inserts, updates and removes applications with their webhooks. */
export const createApplicationWriter = ({
  store,
  applications,
  accounts,
  webhooks,
  encryption,
  quotas,
  fetchAppEnvSchema,
}: ApplicationServices) => {
  const { db } = store.database

  /**
   * Throws if a record uses the application. Locks the application before the first read, so that no record starts to use
   * it before the transaction ends (`lockApplications`).
   */
  const lockUnused = async (
    application_sid: string,
    getRefusal: (dependents: Dependent[]) => string,
    tx: Connection,
  ): Promise<void> => {
    await applications.lockRow(application_sid, tx)
    const dependents = await applications.findDependents(application_sid, tx)
    if (dependents.length > 0) throw inUse(getRefusal(dependents), dependents)
  }

  return {
    async insert(draft: Row, application_sid: string, actor: Actor): Promise<void> {
      await checkNewEnvVars(draft, { actor, webhooks, fetchAppEnvSchema })
      const { service_provider_sid: _, ...values } = draft
      const account_sid = resolveAccountSid(actor, draft.account_sid as string)
      const columns = toColumns({ ...values, application_sid, account_sid }, encryption)
      await withTransaction(db, async (tx) => {
        await quotas.check('application', actor, 1, tx)
        await applications.insert(await saveWebhooks(columns, {}, actor, { webhooks, tx }), tx)
      })
    },

    async update(current: CurrentApplication, input: Row, actor: Actor): Promise<void> {
      const { service_provider_sid: _, ...values } = input
      const changes = omitUndecryptable(values, current)
      checkRequiredWebhooks(changes, current)
      const newAccountSid = changes.account_sid as string | undefined
      const isMoved = newAccountSid !== undefined && newAccountSid !== current.account_sid
      if (isMoved) requirePermission('application', 'update', actor, await findOwnerForAccount(accounts, newAccountSid))
      await checkNewEnvVars(changes, { actor, webhooks, fetchAppEnvSchema, current })
      const columns = toColumns(changes, encryption)
      await withTransaction(db, async (tx) => {
        // Records that use it would have an application of another account.
        if (isMoved) await lockUnused(current.application_sid, () => moveRefusal, tx)
        const changedColumns = await saveWebhooks(columns, current, actor, { webhooks, tx })
        await applications.update(current.application_sid, changedColumns, tx)
        await webhooks.removeUnlinked(webhookSidsOf(current), tx)
      })
    },

    async remove(current: CurrentApplication): Promise<void> {
      const { application_sid } = current
      await withTransaction(db, async (tx) => {
        await lockUnused(application_sid, getDeletionRefusal, tx)
        await tx.deleteFrom('call_routes').where('application_sid', '=', application_sid).execute()
        await applications.remove(application_sid, tx)
        await webhooks.removeUnlinked(webhookSidsOf(current), tx)
      })
    },
  }
}
