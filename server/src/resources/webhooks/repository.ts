import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { can } from '@trunkline/contract/policy/can'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Webhook } from '@trunkline/contract/shapes/webhook'
import type { Store } from '../../db/repository'
import type { Connection, Row } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { unknownReference } from '../../shared/refusals'
import { checkLogin, type HookDraft } from './rules'
import { unusedWebhooks } from './unused-webhooks'

/** The actor, transaction and field of a webhook that is being saved. */
interface SaveContext {
  actor: Actor
  connection: Connection
  field: string
}

/** The columns that refer to webhooks. */
const referencingColumns = [
  ['applications', 'call_hook_sid'],
  ['applications', 'call_status_hook_sid'],
  ['applications', 'messaging_hook_sid'],
  ['accounts', 'registration_hook_sid'],
  ['accounts', 'queue_event_hook_sid'],
  ['service_providers', 'registration_hook_sid'],
] as const

/** Whether any row refers to the webhook `w`. */
const isLinked = sql<boolean>`(${sql.join(
  referencingColumns.map(
    ([name, column]) => sql`exists (select 1 from ${sql.table(name)} t where t.${sql.ref(column)} = w.webhook_sid)`,
  ),
  sql` or `,
)})`

const ownerColumns = {
  applications: sql`t.account_sid, coalesce(a.service_provider_sid, t.service_provider_sid) as service_provider_sid`,
  accounts: sql`t.account_sid, t.service_provider_sid`,
  service_providers: sql`null as account_sid, t.service_provider_sid`,
}

const batchSize = 500

/** Webhooks belong to the rows that refer to them. They are updated in place and deleted when no row refers to them. */
export const webhooks = (store: Store, { maxUnused }: { maxUnused: number }) => {
  const { db } = store.database
  const unused = unusedWebhooks(store, { maxPerOwner: maxUnused, isLinked })

  /** The owners of all rows that refer to a webhook. */
  const ownersOf = async (webhook_sid: string, connection: Connection): Promise<Owner[]> => {
    const queries = referencingColumns.map(([name, column]) => {
      const join = name === 'applications' ? sql`left join accounts a on a.account_sid = t.account_sid` : sql``
      return sql`select ${ownerColumns[name]} from ${sql.table(name)} t ${join} where t.${sql.ref(column)} = ${webhook_sid}`
    })
    return (await sql<Owner>`${sql.join(queries, sql` union all `)}`.execute(connection)).rows
  }

  const insert = async ({ url = '', method, username, password }: HookDraft, connection: Connection) => {
    const webhook_sid = randomUUID()
    await connection
      .insertInto('webhooks')
      .values({ webhook_sid, url, method: method ?? 'POST', username: username ?? null, password: password ?? null })
      .execute()
    return webhook_sid
  }

  const update = async (
    webhook_sid: string,
    { url, method, username, password }: HookDraft,
    connection: Connection,
  ) => {
    const changes = Object.entries({ url, method, username, password }).filter(([, value]) => value !== undefined)
    if (changes.length > 0)
      await connection
        .updateTable('webhooks')
        .set(Object.fromEntries(changes))
        .where('webhook_sid', '=', webhook_sid)
        .execute()
    return webhook_sid
  }

  /**
   * Checks that the actor may link another existing webhook: one that the actor can already see. An unlinked webhook
   * was just created, and only its creator and administrators know its SID.
   */
  const linkExisting = async (webhook_sid: string, exists: boolean, { actor, connection, field }: SaveContext) => {
    const owners = await ownersOf(webhook_sid, connection)
    const canLink = owners.length === 0 || owners.some((owner) => can(actor, 'update', 'application', owner))
    if (!exists || !canLink) throw unknownReference('webhook_sid', `${field}.webhook_sid`)
    await unused.release(webhook_sid, connection)
    return owners
  }

  return {
    /** Adds a webhook to be linked later, and returns its SID. */
    insertUnused: (draft: HookDraft, actor: Actor): Promise<string> =>
      withTransaction(db, async (tx) => {
        await unused.check(actor, tx)
        const webhook_sid = await insert(draft, tx)
        await unused.insert(webhook_sid, actor, tx)
        return webhook_sid
      }),

    /** Deletes webhooks that were not linked in time. */
    prune: (signal?: AbortSignal): Promise<void> => unused.prune(signal),

    async read(sids: readonly (string | null)[], connection: Connection = db): Promise<Map<string, Required<Webhook>>> {
      const uniqueSids = [...new Set(sids.filter((sid): sid is string => sid !== null))]
      const webhooksBySid = new Map<string, Required<Webhook>>()
      for (let offset = 0; offset < uniqueSids.length; offset += batchSize) {
        const batch = uniqueSids.slice(offset, offset + batchSize)
        for (const hook of await connection
          .selectFrom('webhooks')
          .selectAll()
          .where('webhook_sid', 'in', batch)
          .execute())
          webhooksBySid.set(hook.webhook_sid, hook)
      }
      return webhooksBySid
    },

    /**
     * Saves a webhook of a body and returns the SID to link: null if it was cleared, the current one if the body does
     * not contain it. A webhook that other owners also use is replaced by a copy.
     */
    async save(
      draft: HookDraft | null | undefined,
      currentSid: string | null,
      context: SaveContext,
    ): Promise<string | null> {
      const { actor, connection, field } = context
      if (draft === undefined) return currentSid
      if (draft === null || draft.url === '') return null
      const targetSid = draft.webhook_sid ?? currentSid
      if (!targetSid) {
        checkLogin(undefined, draft, field)
        return draft.url ? insert(draft, connection) : null
      }
      const stored = (await this.read([targetSid], connection)).get(targetSid)
      const owners =
        targetSid === currentSid
          ? await ownersOf(targetSid, connection)
          : await linkExisting(targetSid, stored !== undefined, context)
      checkLogin(stored, draft, field)
      const canUpdate = owners.every((owner) => can(actor, 'update', 'application', owner))
      if (owners.length <= 1 || (draft.webhook_sid && canUpdate)) return update(targetSid, draft, connection)
      return insert({ ...stored, ...draft }, connection)
    },

    /** Deletes webhooks that no row refers to. */
    async removeUnlinked(sids: readonly (string | null | undefined)[], connection: Connection): Promise<void> {
      for (const webhook_sid of new Set(sids)) {
        if (webhook_sid && (await ownersOf(webhook_sid, connection)).length === 0)
          await connection.deleteFrom('webhooks').where('webhook_sid', '=', webhook_sid).execute()
      }
    },

    /** Adds the webhook objects to rows that contain their SIDs. */
    async attachHooks(rows: Row[], names: readonly string[], connection: Connection): Promise<Row[]> {
      const sidOf = (row: Row, name: string) => (row[`${name}_sid`] ?? null) as string | null
      const webhooksBySid = await this.read(
        rows.flatMap((row) => names.map((name) => sidOf(row, name))),
        connection,
      )
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(names.map((name) => [name, webhooksBySid.get(sidOf(row, name) ?? '') ?? null])),
      }))
    },
  }
}

export type Webhooks = ReturnType<typeof webhooks>
