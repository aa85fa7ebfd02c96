import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import { runInSlices } from '../../sql/time-slices'
import { callKinds, withAllOffsets, firstIdAt, hourOf, alertKind } from './time-ids'
import { removeAlertRange, type IndexedAlert } from './alert-index'
import type { CallTable } from './index-scan'

/** A table whose primary key starts with an owner and an hour. */
interface HourTable {
  name: 'trunkline_packed_calls' | 'trunkline_hour_counts'
  ownerColumn: string
  /** The column of the key after the owner and the hour. */
  lastKeyColumn: string
  /** Selects the rows of calls or alerts; absent if the table only has calls. */
  condition?: RawBuilder<unknown>
}

/** The position of a row among the rows of one owner. */
interface Position {
  hour: number
  key_value: number
}

const blockTable: HourTable = { name: 'trunkline_packed_calls', ownerColumn: 'owner_digest', lastKeyColumn: 'part' }

const getHourCountTable = (table: CallTable): HourTable => ({
  name: 'trunkline_hour_counts',
  ownerColumn: 'owner_sid',
  lastKeyColumn: 'kind',
  condition: sql`kind in (${sql.join(withAllOffsets(table === 'trunkline_calls' ? callKinds : [alertKind]))})`,
})

/** Creates a function that deletes old calls and alerts in small transactions, so that requests are served meanwhile. */
export const createSqlPruner = ({ database: { db, checkpointWal } }: Pick<Store, 'database'>) => {
  const runInTransaction = (statement: RawBuilder<unknown>) =>
    withTransaction(db, (tx: Connection) => statement.execute(tx).then(() => undefined))

  const findNextOwner = async ({ name, ownerColumn }: HourTable, previousOwner: string | number | undefined) => {
    const column = sql.ref(ownerColumn)
    const { rows } = await sql<{ owner: string | number | null }>`select min(${column}) as owner
      from ${sql.table(name)} where ${previousOwner === undefined ? sql`1 = 1` : sql`${column} > ${previousOwner}`}`.execute(
      db,
    )
    return rows[0]?.owner ?? undefined
  }

  /** Deletes along the primary key, one owner after the other: an index by hour would slow down every write. */
  const pruneHours = async (table: HourTable, endHour: number, signal?: AbortSignal) => {
    const { ownerColumn, condition = sql`1 = 1` } = table
    const lastKeyColumn = sql.ref(table.lastKeyColumn)
    let owner = await findNextOwner(table, undefined)
    await runInSlices(
      async (limit) => {
        if (owner === undefined) return { hasMore: false }
        const ownerCondition = sql`${sql.ref(ownerColumn)} = ${owner} and ${condition}`
        const { rows } = await sql<Position>`select hour, ${lastKeyColumn} as key_value from ${sql.table(table.name)}
        where ${ownerCondition} and hour < ${endHour} order by hour, ${lastKeyColumn} limit ${limit}`.execute(db)
        const lastRow = rows.at(-1)
        // `hour < endHour` is left out: with one upper bound on the hour, the index scan ends at the last row of the batch.
        if (lastRow)
          await runInTransaction(sql`delete from ${sql.table(table.name)} where ${ownerCondition} and hour <= ${lastRow.hour}
          and (hour < ${lastRow.hour} or ${lastKeyColumn} <= ${lastRow.key_value})`)
        if (rows.length < limit) owner = await findNextOwner(table, owner)
        return { hasMore: true }
      },
      { signal, checkpointWal },
    )
  }

  const pruneRows = (table: CallTable, endId: number, signal?: AbortSignal) =>
    runInSlices(
      async (limit) => {
        const { rows } = await sql<Omit<IndexedAlert, 'point'>>`select id, service_provider_sid, account_sid
        from ${sql.table(table)} where id < ${endId} order by id limit ${limit}`.execute(db)
        const lastRow = rows.at(-1)
        if (lastRow)
          await withTransaction(db, async (tx: Connection) => {
            // first the rows: a backfill waits for them, and would otherwise index them again
            await sql`delete from ${sql.table(table)} where id <= ${lastRow.id}`.execute(tx)
            if (table === 'trunkline_alerts') await removeAlertRange(tx, rows, { low: 0, high: lastRow.id })
          })
        return { hasMore: rows.length === limit }
      },
      { signal, checkpointWal },
    )

  /** Deletes records that are older than `oldestAt`, which must be a full hour; 0 deletes nothing. */
  return async (table: CallTable, oldestAt: number, signal?: AbortSignal): Promise<void> => {
    const endId = firstIdAt(oldestAt)
    if (endId === 0) return
    if (table === 'trunkline_calls') await pruneHours(blockTable, hourOf(endId), signal)
    await pruneRows(table, endId, signal)
    await pruneHours(getHourCountTable(table), hourOf(endId), signal)
  }
}
