import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import type { IndexedCall } from './call-block'
import { lastId, trunkKindOffset } from './time-ids'

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

/** Calls per transaction. A small number keeps waiting writers quick. */
const batchSize = 500

/** The name under which the progress is stored. */
const progressName = 'packed calls'

/** Adds the calls of an older version to the call index. `addToIndex`: see `CallIndex.add`. */
export const sqlBackfill = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  addToIndex: (trx: Connection, rows: readonly IndexedCall[]) => Promise<void>,
) => {
  const [exclusiveLock, sharedLock] =
    engine === 'mysql' ? [sql`for update`, sql`lock in share mode`] : ([sql``, sql``] as const)
  let isComplete = false

  const readProgress = async (connection: Connection, lock = sql``): Promise<number> => {
    const { rows } = await sql<{ reached: number }>`
      select reached from trunkline_progress where name = ${progressName} ${lock}`.execute(connection)
    return rows[0]?.reached ?? 0
  }

  /** Handles one batch, oldest calls first. Returns true when the backfill is complete. */
  const indexBatch = () =>
    withTransaction(db, async (trx) => {
      // Only one process works at a time; the others wait here and continue after it.
      const lastIndexedId = await readProgress(trx, exclusiveLock)
      if (lastIndexedId === lastId) return true
      // The shared lock lasts until the commit, so updates and deletions of these calls happen before or after it.
      const { rows } = await sql<IndexedCall>`select ${indexedColumns} from trunkline_calls
        where id > ${lastIndexedId} order by id limit ${batchSize} ${sharedLock}`.execute(trx)
      await addToIndex(trx, rows)
      const next = rows.length < batchSize ? lastId : rows.at(-1)!.id
      await sql`update trunkline_progress set reached = ${next} where name = ${progressName}`.execute(trx)
      return next === lastId
    })

  /**
   * An older version counted calls per trunk together with their blocks. Both restart, and nobody adds to either before this
   * commit.
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
    async isReady(): Promise<boolean> {
      isComplete ||= (await readProgress(db)) === lastId
      return isComplete
    },

    /**
     * The last id up to which a transaction must index its calls itself; the backfill indexes later ones. Call it before the
     * transaction writes calls: it takes a lock that orders the transaction and the backfill.
     */
    async indexedUpTo(trx: Connection): Promise<number> {
      return isComplete ? lastId : readProgress(trx, sharedLock)
    },

    /** Runs until complete. Pauses after each batch for as long as it took, so that other writers get their turn. */
    async run(signal: AbortSignal): Promise<void> {
      await start()
      while (!signal.aborted) {
        const startedAt = performance.now()
        if (await indexBatch()) return
        await new Promise((resolve) => setTimeout(resolve, performance.now() - startedAt))
      }
    },
  }
}

export type Backfill = ReturnType<typeof sqlBackfill>
