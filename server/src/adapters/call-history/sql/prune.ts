import { sql, type RawBuilder } from 'kysely'
import type { Connection, Store } from '../../../db/repository'
import { withTransaction } from '../../../db/transaction'
import { inSlices } from '../../sql/time-slices'
import { everyCall, everyOwner, firstIdOf, hourOf, kindOfAlert } from './time-ids'
import type { Shelf } from './read'

/** A table whose primary key begins with an owner and an hour. */
interface HourTable {
  name: 'trunkline_packed_calls' | 'trunkline_hour_counts'
  owner: string
  /** The next column of the key. */
  next: string
  where?: RawBuilder<unknown>
}

interface Position {
  hour: number
  next: number
}

const packs: HourTable = { name: 'trunkline_packed_calls', owner: 'owner_digest', next: 'part' }

const counts = (shelf: Shelf): HourTable => ({
  name: 'trunkline_hour_counts',
  owner: 'owner_sid',
  next: 'kind',
  where: sql`kind in (${sql.join(everyOwner(shelf === 'trunkline_calls' ? everyCall : [kindOfAlert]))})`,
})

/** Deletes old calls and alerts in small transactions, so that requests are served meanwhile. */
export const sqlPruning = ({ database: { db } }: Pick<Store, 'database'>) => {
  const write = (statement: RawBuilder<unknown>) =>
    withTransaction(db, (tx: Connection) => statement.execute(tx).then(() => undefined))

  /** Walks from owner to owner along the primary key: an index by hour would slow down every write. */
  const pruneHours = async (table: HourTable, endHour: number, stopped?: AbortSignal) => {
    const { owner: column, next, where = sql`1 = 1` } = table
    const nextOwner = async (after: string | number | undefined) => {
      const { rows } = await sql<{ owner: string | number | null }>`select min(${sql.ref(column)}) as owner
        from ${sql.table(table.name)} where ${after === undefined ? sql`1 = 1` : sql`${sql.ref(column)} > ${after}`}`.execute(
        db,
      )
      return rows[0]?.owner ?? undefined
    }
    let owner = await nextOwner(undefined)
    await inSlices(async (limit) => {
      if (owner === undefined) return { more: false }
      const ownedRows = sql`${sql.ref(column)} = ${owner} and ${where}`
      const { rows } = await sql<Position>`select hour, ${sql.ref(next)} as next from ${sql.table(table.name)}
        where ${ownedRows} and hour < ${endHour} order by hour, ${sql.ref(next)} limit ${limit}`.execute(db)
      const last = rows.at(-1)
      // With no other upper bound on the hour than this one the index ends the search where the piece ends.
      if (last)
        await write(sql`delete from ${sql.table(table.name)} where ${ownedRows} and hour <= ${last.hour}
          and (hour < ${last.hour} or ${sql.ref(next)} <= ${last.next})`)
      if (rows.length < limit) owner = await nextOwner(owner)
      return { more: true }
    }, stopped)
  }

  const pruneRows = (shelf: Shelf, end: number, stopped?: AbortSignal) =>
    inSlices(async (limit) => {
      const { rows } = await sql<{ id: number }>`select id from ${sql.table(shelf)} where id < ${end}
        order by id limit ${limit}`.execute(db)
      const last = rows.at(-1)
      if (last) await write(sql`delete from ${sql.table(shelf)} where id <= ${last.id}`)
      return { more: rows.length === limit }
    }, stopped)

  /** Deletes what came before a moment, which is the start of an hour; 0 deletes nothing. */
  return async (shelf: Shelf, oldest: number, stopped?: AbortSignal): Promise<void> => {
    const end = firstIdOf(oldest)
    if (end === 0) return
    if (shelf === 'trunkline_calls') await pruneHours(packs, hourOf(end), stopped)
    await pruneRows(shelf, end, stopped)
    await pruneHours(counts(shelf), hourOf(end), stopped)
  }
}
