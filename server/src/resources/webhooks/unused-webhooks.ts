import { sql, type RawBuilder } from 'kysely'
import type { Actor } from '@trunkline/contract/policy/actor'
import type { Store } from '../../db/repository'
import type { Connection } from '../../db/repository-options'
import { withTransaction } from '../../db/transaction'
import { Problem } from '../../http/problem'

/** How long a webhook may stay unlinked. */
const lifetimeHours = 24
const batchSize = 100

const ownerSidOf = (actor: Actor): string | null =>
  actor.scope === 'admin' ? null : actor.scope === 'account' ? actor.account_sid : actor.service_provider_sid

interface UnusedWebhookOptions {
  /** The maximum number of unlinked webhooks per account or provider. 0: no limit. */
  maxPerOwner: number
  /** True for a webhook `w` that a record refers to. */
  isLinked: RawBuilder<boolean>
  clock?: () => number
}

/**
 * Webhooks that were created to be linked later. Nobody can list or delete them, so their number and lifetime are
 * limited. Only webhooks that this server created are ever deleted.
 */
export const createUnusedWebhookRegistry = (
  { database: { db } }: Pick<Store, 'database'>,
  { maxPerOwner, isLinked, clock = Date.now }: UnusedWebhookOptions,
) => {
  const countUnlinked = async (owner_sid: string, connection: Connection): Promise<number> => {
    const { rows } = await sql<{ total: number }>`select count(*) as total
      from trunkline_unused_webhooks u join webhooks w on w.webhook_sid = u.webhook_sid
      where u.owner_sid = ${owner_sid} and not ${isLinked}`.execute(connection)
    return Number(rows[0]?.total)
  }

  /** Prunes one batch. Returns whether there may be another. */
  const pruneBatch = async (cutoffSeconds: number): Promise<boolean> =>
    withTransaction(db, async (tx) => {
      const { rows } = await sql<{ webhook_sid: string }>`select webhook_sid from trunkline_unused_webhooks
        where created_at < ${cutoffSeconds} order by created_at limit ${batchSize}`.execute(tx)
      if (rows.length === 0) return false
      const sids = sql.join(rows.map(({ webhook_sid }) => webhook_sid))
      const unlinkedRows = await sql<{ webhook_sid: string }>`select w.webhook_sid from webhooks w
        where w.webhook_sid in (${sids}) and not ${isLinked}`.execute(tx)
      for (const { webhook_sid } of unlinkedRows.rows)
        await tx.deleteFrom('webhooks').where('webhook_sid', '=', webhook_sid).execute()
      await sql`delete from trunkline_unused_webhooks where webhook_sid in (${sids})`.execute(tx)
      return rows.length === batchSize
    })

  return {
    /** Throws 422 if the actor's account or provider has reached the limit. */
    async checkLimit(actor: Actor, connection: Connection): Promise<void> {
      const owner_sid = ownerSidOf(actor)
      if (maxPerOwner === 0 || owner_sid === null || (await countUnlinked(owner_sid, connection)) < maxPerOwner) return
      const message =
        `This ${actor.scope === 'account' ? 'account' : 'service provider'} has ${maxPerOwner} webhooks that nothing uses. ` +
        `Link them to an application, or wait: unused webhooks are deleted after ${lifetimeHours} hours.`
      throw new Problem(422, { status: 'fail', message, msg: message })
    },

    async insert(webhook_sid: string, actor: Actor, connection: Connection): Promise<void> {
      const { user_sid = null, api_key_sid = null } = actor
      const created_at = Math.floor(clock() / 1000)
      await connection
        .insertInto('trunkline_unused_webhooks')
        .values({ webhook_sid, owner_sid: ownerSidOf(actor), user_sid, api_key_sid, created_at })
        .execute()
    },

    /** Stops tracking a webhook that is now linked. */
    async release(webhook_sid: string, connection: Connection): Promise<void> {
      await connection.deleteFrom('trunkline_unused_webhooks').where('webhook_sid', '=', webhook_sid).execute()
    },

    /** Deletes webhooks that were not linked in time. */
    async prune(signal?: AbortSignal): Promise<void> {
      const cutoffSeconds = Math.floor(clock() / 1000) - lifetimeHours * 3600
      while (!signal?.aborted && (await pruneBatch(cutoffSeconds)));
    },
  }
}
