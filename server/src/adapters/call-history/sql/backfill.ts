import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import { alertIndex, type IndexedAlert } from './alert-index'
import type { IndexedCall } from './call-block'
import type { CallIndex } from './call-index'
import type { CallTable } from './index-scan'
import { maxId, trunkKindOffset } from './time-ids'

/** Rows per transaction. Writers have to wait while a batch is indexed, so batches are small. */
const batchSize = 500

/** Rows with an index that older versions did not have. */
interface BackfilledIndex<Row extends { id: number }> {
  table: CallTable
  columns: readonly (keyof Row & string)[]
  /** The name under which the progress is stored. */
  progressName: string
  /** Adds rows that are not indexed yet. */
  add: (trx: Connection, rows: readonly Row[]) => Promise<void>
  /** Runs before the first batch. */
  reset?: (trx: Connection) => Promise<unknown>
}

/** Creates the background task that adds the rows of an older version to an index. */
const createSqlBackfill = <Row extends { id: number }>(
  { database: { db, engine, checkpointWal } }: Pick<Store, 'database'>,
  { table, columns, progressName, add, reset }: BackfilledIndex<Row>,
) => {
  const indexedColumns = sql.join(columns.map((name) => sql.ref(name)))
  const [exclusiveLock, sharedLock] =
    engine === 'mysql' ? [sql`for update`, sql`lock in share mode`] : ([sql``, sql``] as const)
  let wasComplete = false

  const readProgress = async (connection: Connection, lock = sql``): Promise<number> => {
    const { rows } = await sql<{ reached: number }>`
      select reached from trunkline_progress where name = ${progressName} ${lock}`.execute(connection)
    return rows[0]?.reached ?? 0
  }

  /** Handles one batch, oldest rows first. Returns true when the backfill is complete. */
  const indexBatch = () =>
    withTransaction(db, async (trx) => {
      // Only one process indexes at a time; the others wait here and continue after it.
      const lastIndexedId = await readProgress(trx, exclusiveLock)
      if (lastIndexedId === maxId) return true
      // The shared lock lasts until the commit, so updates and deletions of these rows happen before or after it.
      const { rows } = await sql<Row>`select ${indexedColumns} from ${sql.table(table)}
        where id > ${lastIndexedId} order by id limit ${batchSize} ${sharedLock}`.execute(trx)
      await add(trx, rows)
      const newLastIndexedId = rows.length < batchSize ? maxId : rows.at(-1)!.id
      await sql`update trunkline_progress set reached = ${newLastIndexedId} where name = ${progressName}`.execute(trx)
      return newLastIndexedId === maxId
    })

  /** Starts the backfill if it has not started. No other transaction changes the index before this commit. */
  const start = () =>
    withTransaction(db, async (trx) => {
      const insertIfAbsent = engine === 'mysql' ? sql`insert ignore` : sql`insert or ignore`
      const { numAffectedRows } =
        await sql`${insertIfAbsent} into trunkline_progress (name, reached) values (${progressName}, 0)`.execute(trx)
      if (numAffectedRows) await reset?.(trx)
    })

  return {
    /** Is the index complete? Once true, it stays true. */
    async isComplete(): Promise<boolean> {
      wasComplete ||= (await readProgress(db)) === maxId
      return wasComplete
    },

    /**
     * Returns the last id up to which a transaction must index its rows itself; the backfill indexes those with greater ids.
     * Call it before the transaction writes rows: it takes a lock that orders the transaction and the backfill.
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

export const createCallBackfill = (store: Pick<Store, 'database'>, { add }: Pick<CallIndex, 'add'>) =>
  createSqlBackfill<IndexedCall>(store, {
    table: 'trunkline_calls',
    columns: [
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
    ],
    progressName: 'packed calls',
    add,
    // Older versions counted calls per trunk, so these counts restart with the blocks.
    reset: (trx) => sql`delete from trunkline_hour_counts where kind >= ${trunkKindOffset}`.execute(trx),
  })

export const createAlertBackfill = (store: Pick<Store, 'database'>) =>
  createSqlBackfill<IndexedAlert>(store, {
    table: 'trunkline_alerts',
    columns: ['id', 'service_provider_sid', 'account_sid', 'point'],
    progressName: 'grouped alerts',
    add: alertIndex.add,
  })
