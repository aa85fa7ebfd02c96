import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { can } from '@trunkline/contract/policy/can'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import type { Webhook } from '@trunkline/contract/shapes/webhook'
import type { Connection, Row, Store } from '../../db/repository'
import { withTransaction } from '../../db/transaction'
import { badRequest } from '../../http/problem'
import { checkLogin, type HookDraft } from './rules'
import { unusedWebhooks } from './unused-webhooks'

/** Who saves a webhook, where, and what the body calls it. */
interface SaveContext {
  actor: Actor
  connection: Connection
  field: string
}

/** The columns that point at a webhook, and how the owner of the pointing row is found. */
const pointers = [
  ['applications', 'call_hook_sid'],
  ['applications', 'call_status_hook_sid'],
  ['applications', 'messaging_hook_sid'],
  ['accounts', 'registration_hook_sid'],
  ['accounts', 'queue_event_hook_sid'],
  ['service_providers', 'registration_hook_sid'],
] as const

/** For a webhook `w`: is there a pointer? */
const isLinked = sql<boolean>`(${sql.join(
  pointers.map(
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

/** Webhook rows belong to what points at them: they are changed in place, and go when nothing points at them any more. */
export const webhooks = (store: Store, { maxUnused }: { maxUnused: number }) => {
  const { db } = store.database
  const unused = unusedWebhooks(store, { maxPerOwner: maxUnused, isLinked })

  /** The owners of everything that points at a webhook. */
  const ownersOf = async (webhook_sid: string, connection: Connection): Promise<Owner[]> => {
    const parts = pointers.map(([name, column]) => {
      const join = name === 'applications' ? sql`left join accounts a on a.account_sid = t.account_sid` : sql``
      return sql`select ${ownerColumns[name]} from ${sql.table(name)} t ${join} where t.${sql.ref(column)} = ${webhook_sid}`
    })
    return (await sql<Owner>`${sql.join(parts, sql` union all `)}`.execute(connection)).rows
  }

  const add = async ({ url = '', method, username, password }: HookDraft, connection: Connection) => {
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
   * Another webhook than the linked one may only be chosen where the actor may already see it. One that is in use
   * nowhere was just made: whoever knows its sid made it, because nobody but an administrator finds it otherwise.
   */
  const linkExisting = async (webhook_sid: string, exists: boolean, { actor, connection, field }: SaveContext) => {
    const owners = await ownersOf(webhook_sid, connection)
    const mine = owners.length === 0 || owners.some((owner) => can(actor, 'update', 'application', owner))
    if (!exists || !mine) throw badRequest('unknown webhook_sid', `${field}.webhook_sid`)
    await unused.release(webhook_sid, connection)
    return owners
  }

  return {
    /** Adds a webhook by itself, to be linked later, and answers its sid. */
    addUnused: (draft: HookDraft, actor: Actor): Promise<string> =>
      withTransaction(db, async (tx) => {
        await unused.check(actor, tx)
        const webhook_sid = await add(draft, tx)
        await unused.add(webhook_sid, actor, tx)
        return webhook_sid
      }),

    /** Deletes webhooks that were added by themselves and not linked in time. */
    prune: (stopped?: AbortSignal): Promise<void> => unused.prune(stopped),

    /** Webhooks by sid. */
    async read(sids: readonly (string | null)[], connection: Connection = db): Promise<Map<string, Required<Webhook>>> {
      const uniqueSids = [...new Set(sids.filter((sid): sid is string => sid !== null))]
      const found = new Map<string, Required<Webhook>>()
      for (let offset = 0; offset < uniqueSids.length; offset += batchSize) {
        const batch = uniqueSids.slice(offset, offset + batchSize)
        for (const hook of await connection
          .selectFrom('webhooks')
          .selectAll()
          .where('webhook_sid', 'in', batch)
          .execute())
          found.set(hook.webhook_sid, hook)
      }
      return found
    },

    /**
     * Stores what a body says of one hook and answers the sid to link: null when it was cleared, the present one when
     * the body says nothing. A row that others outside the actor's reach use too is not changed but replaced.
     */
    async save(
      draft: HookDraft | null | undefined,
      currentSid: string | null,
      context: SaveContext,
    ): Promise<string | null> {
      const { actor, connection, field } = context
      if (draft === undefined) return currentSid
      if (draft === null || draft.url === '') return null
      const target = draft.webhook_sid ?? currentSid
      if (!target) {
        checkLogin(undefined, draft, field)
        return draft.url ? add(draft, connection) : null
      }
      const stored = (await this.read([target], connection)).get(target)
      const owners =
        target === currentSid
          ? await ownersOf(target, connection)
          : await linkExisting(target, stored !== undefined, context)
      checkLogin(stored, draft, field)
      const mine = owners.every((owner) => can(actor, 'update', 'application', owner))
      if (owners.length <= 1 || (draft.webhook_sid && mine)) return update(target, draft, connection)
      return add({ ...stored, ...draft }, connection)
    },

    /** Removes webhooks to which nothing points any more. */
    async removeUnlinked(sids: readonly (string | null | undefined)[], connection: Connection): Promise<void> {
      for (const webhook_sid of new Set(sids)) {
        if (webhook_sid && (await ownersOf(webhook_sid, connection)).length === 0)
          await connection.deleteFrom('webhooks').where('webhook_sid', '=', webhook_sid).execute()
      }
    },

    /** Puts the hook objects of a contract row beside the sid columns of database rows. */
    async attachHooks(rows: Row[], names: readonly string[], connection: Connection): Promise<Row[]> {
      const sidOf = (row: Row, name: string) => (row[`${name}_sid`] ?? null) as string | null
      const found = await this.read(
        rows.flatMap((row) => names.map((name) => sidOf(row, name))),
        connection,
      )
      return rows.map((row) => ({
        ...row,
        ...Object.fromEntries(names.map((name) => [name, found.get(sidOf(row, name) ?? '') ?? null])),
      }))
    },
  }
}

export type Webhooks = ReturnType<typeof webhooks>
