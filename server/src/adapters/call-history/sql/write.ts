import { sql } from 'kysely'
import { SEARCHED_BYTES } from '../../../db/migrations/0004-call-history'
import { classifyDatabaseError } from '../../../db/errors'
import type { Connection, Store } from '../../../db/repository'
import { withTransaction } from '../../../db/transaction'
import type { Kept, Point } from '../../../ports/call-history'
import { portFault } from '../../sql/errors'
import { amountOut, delayOf } from '../rows'
import type { CatchingUp } from './backfill'
import { forTenants, sqlCounts, type Counted } from './hour-counts'
import type { CallEntries } from './entries'
import { kindOfRow, type Numbered } from './call-block'
import { merged, withAdded, type Entry, type Values } from './dedupe'
import { digestOf, firstOfMoment, freeId, idsFor, kindOfAlert, lastOfMoment, nextMoment } from './time-ids'
import type { Shelf } from './read'

const shelves: Record<Kept, Shelf> = { cdrs: 'trunkline_calls', alerts: 'trunkline_alerts' }

interface Batch {
  kept: Kept
  points: readonly Point[]
}

type Columns = Record<string, string | number | Buffer | null>

const wordOf = (value: Values[string] | undefined, most: number): string | null =>
  value === undefined || value === '' ? null : String(value).slice(0, most)

const nameOf = (value: Values[string] | undefined): number | null =>
  value === undefined || value === '' ? null : digestOf(String(value))

const most = 2 ** 31 - 1
const bounded = (delay: number | null) => (delay === null ? null : Math.min(most, delay))
const wholeOf = (value: unknown): number => Math.min(most, Math.max(0, Math.round(amountOut(value) ?? 0)))

/** A part of the bytes that are searched. */
const searched = (value: Values[string] = '') =>
  Buffer.from(String(value).toLowerCase()).subarray(0, SEARCHED_BYTES / 2 - 1)

const columnsOf: Record<Kept, (values: Values, time: bigint) => Columns> = {
  cdrs: (values, time) => ({
    service_provider_sid: wordOf(values.service_provider_sid, 36),
    account_sid: wordOf(values.account_sid, 36),
    direction: values.direction === 'inbound' || values.direction === 'outbound' ? values.direction : null,
    answered: { true: 1, false: 0 }[String(values.answered)] ?? null,
    trunk: wordOf(values.trunk, 255),
    sip_status: wholeOf(values.sip_status),
    seconds: wholeOf(values.duration),
    delay: bounded(delayOf(values, Number(time / 1_000_000n))),
    call_sid_digest: nameOf(values.call_sid),
    sip_callid_digest: nameOf(values.sip_callid),
    trace_id_digest: nameOf(values.trace_id),
    numbers: Buffer.concat([searched(values.from), Buffer.from('\n'), searched(values.to)]),
    point: JSON.stringify(values),
  }),
  alerts: (values) => ({
    service_provider_sid: wordOf(values.service_provider_sid, 36),
    account_sid: wordOf(values.account_sid, 36),
    alert_type: wordOf(values.alert_type, 255),
    point: JSON.stringify(values),
  }),
}

/** A call's columns, as far as they stand beside its numbers. */
const numbered = (row: Columns) => row as unknown as Numbered

const countedOf = (kept: Kept, row: Columns): Counted => ({
  ...numbered(row),
  kind: kept === 'alerts' ? kindOfAlert : kindOfRow(numbered(row)),
})

/** Rows of one statement. */
const chunk = 250

const inChunks = async <Item>(items: readonly Item[], work: (part: Item[]) => Promise<unknown>) => {
  for (let at = 0; at < items.length; at += chunk) await work(items.slice(at, at + chunk))
}

/** Writes points into the tables, many in one transaction. */
export const sqlWriting = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  entries: CallEntries,
  catchingUp: CatchingUp,
) => {
  const count = sqlCounts({ engine })

  const known = async (trx: Connection, shelf: Shelf, marks: string[]) => {
    const found = new Map<string, { id: number; point: string }>()
    await inChunks(marks, async (part) => {
      const { rows } = await sql<{ id: number; mark: string; point: string }>`
        select id, mark, point from ${sql.table(shelf)} where mark in (${sql.join(part)})`.execute(trx)
      for (const row of rows) found.set(row.mark, row)
    })
    return found
  }

  /**
   * A place for each new point. Of more than 1024 of one millisecond, as writers have them whose clocks know seconds, some
   * get places in those that follow.
   */
  const places = async (trx: Connection, shelf: Shelf, fresh: Entry[]) => {
    const wishes = fresh.map(({ time, mark }) => idsFor(time, mark))
    const taken = new Set<number>()
    const known = new Set<number>()
    const look = async (first: number) => {
      if (known.has(first)) return
      known.add(first)
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(shelf)} where id between ${first} and ${lastOfMoment(first)}`.execute(trx)
      for (const { id } of rows) taken.add(id)
    }
    await inChunks([...new Set(wishes.map(({ wanted }) => wanted))], async (part) => {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(shelf)} where id in (${sql.join(part)})`.execute(trx)
      for (const { id } of rows) await look(firstOfMoment(id))
    })
    const own = new Set<number>()
    for (const { wanted, first } of wishes) {
      if (own.has(wanted)) await look(first)
      own.add(wanted)
    }
    const ids: number[] = []
    for (const wish of wishes) {
      let { first } = wish
      let id = freeId(wish, taken)
      while (id === undefined) {
        first = nextMoment(first)
        await look(first)
        id = freeId({ wanted: first, first }, taken)
      }
      taken.add(id)
      ids.push(id)
    }
    return ids
  }

  const insert = (trx: Connection, shelf: Shelf, rows: Columns[]) =>
    inChunks(rows, (part) =>
      trx
        .insertInto(shelf)
        .values(part as never)
        .execute(),
    )

  const keep = async (trx: Connection, kept: Kept, points: readonly Point[]) => {
    const shelf = shelves[kept]
    const reached = kept === 'cdrs' ? await catchingUp.reached(trx) : 0
    const merges = await merged(trx, kept, points)
    const before = await known(trx, shelf, [...merges.keys()])
    const fresh = [...merges.values()].filter(({ mark }) => !before.has(mark))
    const ids = await places(trx, shelf, fresh)
    const rows = fresh.map(({ mark, values, time }, at): Columns => ({
      id: ids[at]!,
      mark,
      ...columnsOf[kept](values, time),
    }))
    await insert(trx, shelf, rows)
    const now: Columns[] = [...rows]
    const old: Columns[] = []
    for (const [mark, { id, point }] of before) {
      const { time, values } = merges.get(mark)!
      const was = JSON.parse(point) as Values
      const row = columnsOf[kept](withAdded(was, values), time)
      // told again as it was told
      if (row.point === point) continue
      await trx
        .updateTable(shelf)
        .set(row as never)
        .where('id', '=', id)
        .execute()
      old.push({ ...columnsOf[kept](was, time), id })
      now.push({ ...row, id })
    }
    const entered = (calls: Columns[]) => calls.map(numbered).filter(({ id }) => id <= reached)
    await entries.takeBack(trx, entered(old))
    await entries.enter(trx, entered(now))
    const counted = (some: Columns[], by: 1 | -1) => some.flatMap((row) => forTenants(countedOf(kept, row), by))
    await count(trx, [...counted(old, -1), ...counted(now, 1)])
  }

  /** Somebody else was quicker with the same point or the same place: then it is all done once more. */
  const tries = 5

  const once = (batch: Batch[]) =>
    withTransaction(db, async (trx) => {
      for (const kept of ['cdrs', 'alerts'] as const) {
        const points = batch.filter((each) => each.kept === kept).flatMap((each) => each.points)
        if (points.length > 0) await keep(trx, kept, points)
      }
    })

  const commit = async (batch: Batch[], tried = 1): Promise<void> => {
    try {
      await once(batch)
    } catch (error) {
      const fault = classifyDatabaseError(error)
      if (engine === 'mysql' && tried < tries && fault?.kind === 'duplicate') return commit(batch, tried + 1)
      throw portFault(error)
    }
  }
  return commit
}
