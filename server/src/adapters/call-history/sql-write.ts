import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { SEARCHED_BYTES } from '../../db/migrations/0004-call-history'
import { databaseFault } from '../../db/errors'
import type { Connection, Store } from '../../db/table'
import type { Kept, Point } from '../../ports/call-history'
import { portFault } from '../sql-faults'
import { amountOut, delayOf } from './rows'
import { dropNumbers, keepNumbers, kindOfRow, type Numbered } from './sql-numbers'
import { digestOf, freeId, hourOf, idsFor, kindOfAlert, kindsOfProvider } from './sql-places'
import type { Shelf } from './sql-read'

const shelves: Record<Kept, Shelf> = { cdrs: 'trunkline_calls', alerts: 'trunkline_alerts' }

interface Batch {
  kept: Kept
  points: readonly Point[]
}

type Values = Record<string, string | number | boolean>
type Columns = Record<string, string | number | Buffer | null>

/** A point on its way in. */
interface Entry {
  mark: string
  time: bigint
  values: Values
}

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

/** What two points have in common that are one: their tags and their time, and of which call or of what they speak. */
const markOf = (kept: Kept, { tags, fields, time }: Point): string => {
  const series = Object.entries(tags).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const about =
    kept === 'cdrs' ? (fields.call_sid ?? fields.sip_callid) : [fields.message, fields.detail, fields.target_sid]
  const text = JSON.stringify([series, String(time), about ?? null])
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 13)
  return (time / 1_000_000n).toString(36).padStart(9, '0') + digest
}

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

const kindOf = (kept: Kept, row: Columns): number => (kept === 'alerts' ? kindOfAlert : kindOfRow(numbered(row)))

/** What is added up of each hour besides the number. */
interface Sum {
  number: number
  seconds: number
  timed: number
  delay: number
}

const summed = ['number', 'seconds', 'timed', 'delay'] as const

/** A row that is to be added to its hour, or with -1, to be taken from it. */
interface Counted {
  row: Columns
  by: 1 | -1
}

const sumOf = ({ row: { seconds, delay }, by }: Counted): Sum => ({
  number: by,
  seconds: by * Number(seconds ?? 0),
  timed: by * Number(typeof delay === 'number'),
  delay: by * Number(delay ?? 0),
})

/** Rows of one statement. */
const chunk = 250

const inChunks = async <Item>(items: readonly Item[], work: (part: Item[]) => Promise<unknown>) => {
  for (let at = 0; at < items.length; at += chunk) await work(items.slice(at, at + chunk))
}

/** The same point twice in one go is one, with the fields of both. */
const merged = (kept: Kept, points: readonly Point[]): Map<string, Entry> => {
  const entries = new Map<string, Entry>()
  for (const point of points) {
    const mark = markOf(kept, point)
    const before = entries.get(mark)
    entries.set(mark, { mark, time: point.time, values: { ...before?.values, ...point.fields, ...point.tags } })
  }
  return entries
}

/** Writes points into the tables, many in one transaction. */
export const sqlWriting = ({ database: { db, engine }, totals }: Store) => {
  const known = async (trx: Connection, shelf: Shelf, marks: string[]) => {
    const found = new Map<string, { id: number; point: string }>()
    await inChunks(marks, async (part) => {
      const { rows } = await sql<{ id: number; mark: string; point: string }>`
        select id, mark, point from ${sql.table(shelf)} where mark in (${sql.join(part)})`.execute(trx)
      for (const row of rows) found.set(row.mark, row)
    })
    return found
  }

  /** A place for each new point, and what is in the way of it. */
  const places = async (trx: Connection, shelf: Shelf, entries: Entry[]) => {
    const wishes = entries.map(({ time, mark }) => idsFor(time, mark))
    const taken = new Set<number>()
    const crowded = new Set<number>()
    await inChunks([...new Set(wishes.map(({ wanted }) => wanted))], async (part) => {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(shelf)} where id in (${sql.join(part)})`.execute(trx)
      for (const { id } of rows) crowded.add(Math.floor(id / 1024) * 1024)
    })
    const own = new Set<number>()
    for (const { wanted, first } of wishes) {
      if (own.has(wanted)) crowded.add(first)
      own.add(wanted)
    }
    for (const first of crowded) {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(shelf)} where id between ${first} and ${first + 1023}`.execute(trx)
      for (const { id } of rows) taken.add(id)
    }
    return wishes.map((wish) => {
      const id = freeId(wish, taken)
      taken.add(id)
      return id
    })
  }

  const insert = (trx: Connection, shelf: Shelf, rows: Columns[]) =>
    inChunks(rows, (part) =>
      trx
        .insertInto(shelf)
        .values(part as never)
        .execute(),
    )

  const count = (trx: Connection, kept: Kept, rows: Counted[]) => {
    const sums = new Map<string, { key: (string | number)[]; sum: Sum }>()
    for (const { row, by } of rows)
      for (const [owner_sid, offset] of [
        [row.account_sid, 0] as const,
        [row.service_provider_sid, kindsOfProvider] as const,
      ]) {
        if (typeof owner_sid !== 'string') continue
        const key = [owner_sid, hourOf(Number(row.id)), kindOf(kept, row) + offset, Number(row.sip_status ?? 0)]
        const { sum } = sums.get(key.join(' ')) ?? { sum: { number: 0, seconds: 0, timed: 0, delay: 0 } }
        const more = sumOf({ row, by })
        for (const name of summed) sum[name] += more[name]
        sums.set(key.join(' '), { key, sum })
      }
    // in one order for all, so that two processes do not wait for each other
    const lines = [...sums.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, line]) => line)
    const upsert =
      engine === 'mysql'
        ? sql`on duplicate key update`
        : sql`on conflict (owner_sid, hour, kind, sip_status) do update set`
    const added = summed.map((name) => {
      const column = sql.ref(name)
      return sql`${column} = ${column} + ${engine === 'mysql' ? sql`values(${column})` : sql`excluded.${column}`}`
    })
    return inChunks(lines, (part) =>
      sql`insert into trunkline_hour_counts (owner_sid, hour, kind, sip_status, ${sql.join(summed.map((name) => sql.ref(name)))})
        values ${sql.join(part.map(({ key, sum }) => sql`(${sql.join([...key, ...summed.map((name) => sum[name])])})`))}
        ${upsert} ${sql.join(added)}`.execute(trx),
    )
  }

  const keep = async (trx: Connection, kept: Kept, points: readonly Point[]) => {
    const shelf = shelves[kept]
    const entries = merged(kept, points)
    const before = await known(trx, shelf, [...entries.keys()])
    const fresh = [...entries.values()].filter(({ mark }) => !before.has(mark))
    const ids = await places(trx, shelf, fresh)
    const rows = fresh.map(({ mark, values, time }, at): Columns => ({
      id: ids[at]!,
      mark,
      ...columnsOf[kept](values, time),
    }))
    await insert(trx, shelf, rows)
    const counted: Counted[] = rows.map((row) => ({ row, by: 1 }))
    const found: Columns[] = [...rows]
    for (const [mark, { id, point }] of before) {
      const { time, values } = entries.get(mark)!
      const was = JSON.parse(point) as Values
      const row = columnsOf[kept]({ ...was, ...values }, time)
      const old = { ...columnsOf[kept](was, time), id }
      await trx
        .updateTable(shelf)
        .set(row as never)
        .where('id', '=', id)
        .execute()
      if (kept === 'cdrs') await dropNumbers(trx, numbered(old), numbered(row))
      found.push({ ...row, id })
      counted.push({ row: old, by: -1 }, { row: { ...row, id }, by: 1 })
    }
    if (kept === 'cdrs') await keepNumbers(trx, found.map(numbered))
    await count(trx, kept, counted)
  }

  /** Somebody else was quicker with the same point or the same place: then it is all done once more. */
  const tries = 5

  const once = (batch: Batch[]) =>
    db.transaction().execute(async (trx) => {
      for (const kept of ['cdrs', 'alerts'] as const) {
        const points = batch.filter((each) => each.kept === kept).flatMap((each) => each.points)
        if (points.length > 0) await keep(trx, kept, points)
      }
    })

  const commit = async (batch: Batch[], tried = 1): Promise<void> => {
    try {
      await once(batch)
    } catch (error) {
      const fault = databaseFault(error)
      if (engine === 'mysql' && tried < tries && (fault?.kind === 'duplicate' || fault?.kind === 'unavailable'))
        return commit(batch, tried + 1)
      throw portFault(error)
    }
    for (const { kept } of batch) totals.touch(shelves[kept])
  }
  return commit
}
