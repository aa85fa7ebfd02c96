import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { can } from '@trunkline/contract/policy/can'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Webhook } from '@trunkline/contract/shapes/webhook'
import { splitIntoBatches } from '../../db/batches'
import type { Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { unknownReference } from '../../shared/refusals'
import { checkLogin, type WebhookDraft } from './rules'
import { createUnusedWebhookRegistry } from './unused-webhooks'

/** The actor, the transaction, and the field of the body that contains the webhook. */
interface SaveContext {
  actor: Actor
  connection: Connection
  field: string
}

/** The columns that refer to webhooks. */
const webhookColumns = [
  ['applications', 'call_hook_sid'],
  ['applications', 'call_status_hook_sid'],
  ['applications', 'messaging_hook_sid'],
  ['accounts', 'registration_hook_sid'],
  ['accounts', 'queue_event_hook_sid'],
  ['service_providers', 'registration_hook_sid'],
] as const

/** Whether any row refers to the webhook `w`. */
const isLinked = sql<boolean>`(${sql.join(
  webhookColumns.map(
    ([table, column]) => sql`exists (select 1 from ${sql.table(table)} t where t.${sql.ref(column)} = w.webhook_sid)`,
  ),
  sql` or `,
)})`

/** The owner of a row `t` of each table, which may be joined with its account `a`. */
const ownerColumns = {
  applications: sql`t.account_sid, coalesce(a.service_provider_sid, t.service_provider_sid) as service_provider_sid`,
  accounts: sql`t.account_sid, t.service_provider_sid`,
  service_providers: sql`null as account_sid, t.service_provider_sid`,
}

/** The owners of all rows that refer to a webhook. */
const ownersOf = async (webhook_sid: string, connection: Connection): Promise<Owner[]> => {
  const queries = webhookColumns.map(([table, column]) => {
    const join = table === 'applications' ? sql`left join accounts a on a.account_sid = t.account_sid` : sql``
    return sql`select ${ownerColumns[table]} from ${sql.table(table)} t ${join} where t.${sql.ref(column)} = ${webhook_sid}`
  })
  return (await sql<Owner>`${sql.join(queries, sql` union all `)}`.execute(connection)).rows
}

const insertWebhook = async (
  { url = '', method, username, password }: WebhookDraft,
  connection: Connection,
): Promise<string> => {
  const webhook_sid = randomUUID()
  await connection
    .insertInto('webhooks')
    .values({ webhook_sid, url, method: method ?? 'POST', username: username ?? null, password: password ?? null })
    .execute()
  return webhook_sid
}

const updateWebhook = async (
  webhook_sid: string,
  { url, method, username, password }: WebhookDraft,
  connection: Connection,
): Promise<string> => {
  const changes = Object.entries({ url, method, username, password }).filter(([, value]) => value !== undefined)
  if (changes.length > 0)
    await connection
      .updateTable('webhooks')
      .set(Object.fromEntries(changes))
      .where('webhook_sid', '=', webhook_sid)
      .execute()
  return webhook_sid
}

/** The stored webhooks with these SIDs, by SID. */
const readWebhooks = async (
  sids: readonly (string | null)[],
  connection: Connection,
): Promise<Map<string, Required<Webhook>>> => {
  const uniqueSids = [...new Set(sids.filter((sid): sid is string => sid !== null))]
  const webhooksBySid = new Map<string, Required<Webhook>>()
  for (const batch of splitIntoBatches(uniqueSids)) {
    const rows = await connection.selectFrom('webhooks').selectAll().where('webhook_sid', 'in', batch).execute()
    for (const webhook of rows) webhooksBySid.set(webhook.webhook_sid, webhook)
  }
  return webhooksBySid
}

/** Adds the webhook objects to rows that contain their SIDs. */
const attachWebhooks = async (rows: Row[], names: readonly string[], connection: Connection): Promise<Row[]> => {
  const sidOf = (row: Row, name: string) => (row[`${name}_sid`] ?? null) as string | null
  const sids = rows.flatMap((row) => names.map((name) => sidOf(row, name)))
  const webhooksBySid = await readWebhooks(sids, connection)
  return rows.map((row) => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [name, webhooksBySid.get(sidOf(row, name) ?? '') ?? null])),
  }))
}

/** Webhooks belong to the rows that refer to them. They are updated in place and deleted when no row refers to them. */
export const createWebhookRepository = (store: Store, { maxUnused }: { maxUnused: number }) => {
  const { db } = store.database
  const unusedWebhooks = createUnusedWebhookRegistry(store, { maxPerOwner: maxUnused, isLinked })

  const findWithOwners = async (webhook_sid: string, { connection }: Pick<SaveContext, 'connection'>) => ({
    webhook: (await readWebhooks([webhook_sid], connection)).get(webhook_sid),
    owners: await ownersOf(webhook_sid, connection),
  })

  /**
   * Finds an existing webhook, other than the current one, and its owners. Throws if the actor may not link it: the actor must own one of the rows
   * that refer to it. A webhook without such rows was just created, and only its creator and administrators know its SID.
   */
  const findLinkable = async (webhook_sid: string, { actor, connection, field }: SaveContext) => {
    const { webhook, owners } = await findWithOwners(webhook_sid, { connection })
    const canLink = owners.length === 0 || owners.some((owner) => can(actor, 'update', 'application', owner))
    if (!webhook || !canLink) throw unknownReference('webhook_sid', `${field}.webhook_sid`)
    return { webhook, owners }
  }

  const linkOtherWebhook = async (webhook_sid: string, context: SaveContext) => {
    const linkedWebhook = await findLinkable(webhook_sid, context)
    await unusedWebhooks.release(webhook_sid, context.connection)
    return linkedWebhook
  }

  return {
    /** Adds a webhook to be linked later, and returns its SID. */
    insertUnused: (draft: WebhookDraft, actor: Actor): Promise<string> =>
      withTransaction(db, async (tx) => {
        await unusedWebhooks.checkLimit(actor, tx)
        const webhook_sid = await insertWebhook(draft, tx)
        await unusedWebhooks.insert(webhook_sid, actor, tx)
        return webhook_sid
      }),

    /** Deletes webhooks that were not linked in time. */
    prune: (signal?: AbortSignal): Promise<void> => unusedWebhooks.prune(signal),

    /** The webhook with this SID, if the actor may link it. Otherwise throws 400 for this field of the body. */
    findLinkable: async (webhook_sid: string, context: Pick<SaveContext, 'actor' | 'field'>): Promise<Webhook> =>
      (await findLinkable(webhook_sid, { ...context, connection: db })).webhook,

    read: (sids: readonly (string | null)[], connection: Connection = db) => readWebhooks(sids, connection),

    /**
     * Saves a webhook of a body and returns the SID to link: null if it was cleared, the current one if the body does
     * not contain it. A webhook that other owners also use is replaced by a copy.
     */
    async save(
      draft: WebhookDraft | null | undefined,
      currentSid: string | null,
      context: SaveContext,
    ): Promise<string | null> {
      const { actor, connection, field } = context
      if (draft === undefined) return currentSid
      if (draft === null || draft.url === '') return null
      const targetSid = draft.webhook_sid ?? currentSid
      if (!targetSid) {
        checkLogin(undefined, draft, field)
        return draft.url ? insertWebhook(draft, connection) : null
      }
      const { webhook: storedWebhook, owners } =
        targetSid === currentSid ? await findWithOwners(targetSid, context) : await linkOtherWebhook(targetSid, context)
      checkLogin(storedWebhook, draft, field)
      const canUpdate = owners.every((owner) => can(actor, 'update', 'application', owner))
      if (owners.length <= 1 || (draft.webhook_sid && canUpdate)) return updateWebhook(targetSid, draft, connection)
      return insertWebhook({ ...storedWebhook, ...draft }, connection)
    },

    /** Deletes those of the webhooks that no row refers to. */
    async removeUnlinked(sids: readonly (string | null | undefined)[], connection: Connection): Promise<void> {
      for (const webhook_sid of new Set(sids)) {
        if (webhook_sid && (await ownersOf(webhook_sid, connection)).length === 0)
          await connection.deleteFrom('webhooks').where('webhook_sid', '=', webhook_sid).execute()
      }
    },

    attachWebhooks,
  }
}

export type Webhooks = ReturnType<typeof createWebhookRepository>
