import { sql, type RawBuilder } from 'kysely'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import { runInSlices } from '../../sql/time-slices'
import { callKinds, withAllOffsets, firstIdAt, hourOf, alertKind } from './time-ids'
import type { CallTable } from './reader'

/** A table whose primary key starts with an owner and an hour. */
interface HourTable {
  name: 'trunkline_packed_calls' | 'trunkline_hour_counts'
  owner: string
  /** The third column of the key. */
  next: string
  where?: RawBuilder<unknown>
}

interface Position {
  hour: number
  next: number
}

const blockTable: HourTable = { name: 'trunkline_packed_calls', owner: 'owner_digest', next: 'part' }

const hourCountTable = (table: CallTable): HourTable => ({
  name: 'trunkline_hour_counts',
  owner: 'owner_sid',
  next: 'kind',
  where: sql`kind in (${sql.join(withAllOffsets(table === 'trunkline_calls' ? callKinds : [alertKind]))})`,
})

/** Deletes old calls and alerts in small transactions, so that requests are served meanwhile. */
export const sqlPruner = ({ database: { db } }: Pick<Store, 'database'>) => {
  const write = (statement: RawBuilder<unknown>) =>
    withTransaction(db, (tx: Connection) => statement.execute(tx).then(() => undefined))

  /** Goes from owner to owner along the primary key: an index by hour would slow down every write. */
  const pruneHours = async (table: HourTable, endHour: number, signal?: AbortSignal) => {
    const { owner: column, next, where = sql`1 = 1` } = table
    const nextOwner = async (previous: string | number | undefined) => {
      const { rows } = await sql<{ owner: string | number | null }>`select min(${sql.ref(column)}) as owner
        from ${sql.table(table.name)} where ${previous === undefined ? sql`1 = 1` : sql`${sql.ref(column)} > ${previous}`}`.execute(
        db,
      )
      return rows[0]?.owner ?? undefined
    }
    let owner = await nextOwner(undefined)
    await runInSlices(async (limit) => {
      if (owner === undefined) return { hasMore: false }
      const ownedRows = sql`${sql.ref(column)} = ${owner} and ${where}`
      const { rows } = await sql<Position>`select hour, ${sql.ref(next)} as next from ${sql.table(table.name)}
        where ${ownedRows} and hour < ${endHour} order by hour, ${sql.ref(next)} limit ${limit}`.execute(db)
      const last = rows.at(-1)
      // With this as the only upper bound on the hour, the index scan ends at the end of the batch.
      if (last)
        await write(sql`delete from ${sql.table(table.name)} where ${ownedRows} and hour <= ${last.hour}
          and (hour < ${last.hour} or ${sql.ref(next)} <= ${last.next})`)
      if (rows.length < limit) owner = await nextOwner(owner)
      return { hasMore: true }
    }, signal)
  }

  const pruneRows = (table: CallTable, end: number, signal?: AbortSignal) =>
    runInSlices(async (limit) => {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} where id < ${end}
        order by id limit ${limit}`.execute(db)
      const last = rows.at(-1)
      if (last) await write(sql`delete from ${sql.table(table)} where id <= ${last.id}`)
      return { hasMore: rows.length === limit }
    }, signal)

  /** Deletes records before a timestamp, which must be a full hour; 0 deletes nothing. */
  return async (table: CallTable, oldestAt: number, signal?: AbortSignal): Promise<void> => {
    const end = firstIdAt(oldestAt)
    if (end === 0) return
    if (table === 'trunkline_calls') await pruneHours(blockTable, hourOf(end), signal)
    await pruneRows(table, end, signal)
    await pruneHours(hourCountTable(table), hourOf(end), signal)
  }
}
