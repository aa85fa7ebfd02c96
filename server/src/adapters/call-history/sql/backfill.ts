import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import type { IndexedCall } from './call-block'
import { maxId, trunkKindOffset } from './time-ids'

const indexedColumns = sql.join(
  (
    [
      'id',
      'service_provider_sid',
      'account_sid',
      'direction',
      'answered',
      'sip_status',
      'seconds',
      'delay',
      'trunk',
      'numbers',
      'point',
    ] satisfies (keyof IndexedCall)[]
  ).map((name) => sql.ref(name)),
)

/** Calls per transaction. Writers have to wait while a batch is indexed, so batches are small. */
const batchSize = 500

/** The name under which the progress is stored. */
const progressName = 'packed calls'

/** Creates the background task that adds the calls of an older version to the call index. `addToIndex`: see `CallIndex.add`. */
export const createSqlBackfill = (
  { database: { db, engine, checkpointWal } }: Pick<Store, 'database'>,
  addToIndex: (trx: Connection, rows: readonly IndexedCall[]) => Promise<void>,
) => {
  const [exclusiveLock, sharedLock] =
    engine === 'mysql' ? [sql`for update`, sql`lock in share mode`] : ([sql``, sql``] as const)
  let wasComplete = false

  const readProgress = async (connection: Connection, lock = sql``): Promise<number> => {
    const { rows } = await sql<{ reached: number }>`
      select reached from trunkline_progress where name = ${progressName} ${lock}`.execute(connection)
    return rows[0]?.reached ?? 0
  }

  /** Handles one batch, oldest calls first. Returns true when the backfill is complete. */
  const indexBatch = () =>
    withTransaction(db, async (trx) => {
      // Only one process indexes at a time; the others wait here and continue after it.
      const lastIndexedId = await readProgress(trx, exclusiveLock)
      if (lastIndexedId === maxId) return true
      // The shared lock lasts until the commit, so updates and deletions of these calls happen before or after it.
      const { rows } = await sql<IndexedCall>`select ${indexedColumns} from trunkline_calls
        where id > ${lastIndexedId} order by id limit ${batchSize} ${sharedLock}`.execute(trx)
      await addToIndex(trx, rows)
      const newLastIndexedId = rows.length < batchSize ? maxId : rows.at(-1)!.id
      await sql`update trunkline_progress set reached = ${newLastIndexedId} where name = ${progressName}`.execute(trx)
      return newLastIndexedId === maxId
    })

  /**
   * Starts the backfill if it has not started. Older versions counted calls per trunk, so these counts restart with the blocks.
   * No other transaction changes them before this commit.
   */
  const start = () =>
    withTransaction(db, async (trx) => {
      const insertIfAbsent = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`
      const { numAffectedRows } =
        await sql`${insertIfAbsent} into trunkline_progress (name, reached) values (${progressName}, 0)`.execute(trx)
      if (!numAffectedRows) return
      await sql`delete from trunkline_hour_counts where kind >= ${trunkKindOffset}`.execute(trx)
    })

  return {
    /** Is the call index complete? Once true, it stays true. */
    async isComplete(): Promise<boolean> {
      wasComplete ||= (await readProgress(db)) === maxId
      return wasComplete
    },

    /**
     * Returns the last id up to which a transaction must index its calls itself; the backfill indexes those with greater ids.
     * Call it before the transaction writes calls: it takes a lock that orders the transaction and the backfill.
     */
    async readLastIndexedId(trx: Connection): Promise<number> {
      return wasComplete ? maxId : readProgress(trx, sharedLock)
    },

    /** Runs until complete. Pauses after each batch for as long as it took, so that other writers get their turn. */
    async run(signal: AbortSignal): Promise<void> {
      await start()
      while (!signal.aborted) {
        const startedAt = performance.now()
        if (await indexBatch()) return
        await Promise.all([delay(performance.now() - startedAt), checkpointWal?.()])
      }
    },
  }
}

export type Backfill = ReturnType<typeof createSqlBackfill>
