import { sql } from 'kysely'
import { SEARCHED_BYTES } from '../../../db/migrations/0004-call-history'
import { classifyDatabaseError } from '../../../db/errors'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import type { Measurement, Point } from '../../../ports/call-history'
import { toPortError } from '../../sql/port-errors'
import { parseNumber, answerDelayMs } from '../rows'
import type { Backfill } from './backfill'
import { tenantChanges, hourCounts, type CountedRow } from './hour-counts'
import type { CallIndex } from './call-index'
import { kindOfRow, type IndexedCall } from './call-block'
import { mergePoints, mergeValues, type PendingPoint, type Values } from './dedupe'
import { digestOf, firstIdOfMs, freeId, preferredId, alertKind, lastIdOfMs, firstIdOfNextMs } from './time-ids'
import type { CallTable } from './reader'

const tables: Record<Measurement, CallTable> = { cdrs: 'trunkline_calls', alerts: 'trunkline_alerts' }

interface Batch {
  measurement: Measurement
  points: readonly Point[]
}

type Columns = Record<string, string | number | Buffer | null>

const textColumn = (value: Values[string] | undefined, maxLength: number): string | null =>
  value === undefined || value === '' ? null : String(value).slice(0, maxLength)

const digestColumn = (value: Values[string] | undefined): number | null =>
  value === undefined || value === '' ? null : digestOf(String(value))

const maxInt32 = 2 ** 31 - 1
const clampDelay = (delay: number | null) => (delay === null ? null : Math.min(maxInt32, delay))
const integerColumn = (value: unknown): number => Math.min(maxInt32, Math.max(0, Math.round(parseNumber(value) ?? 0)))

/** One half of the bytes that are searched. */
const searchableBytes = (value: Values[string] = '') =>
  Buffer.from(String(value).toLowerCase()).subarray(0, SEARCHED_BYTES / 2 - 1)

const columnsFor: Record<Measurement, (values: Values, time: bigint) => Columns> = {
  cdrs: (values, time) => ({
    service_provider_sid: textColumn(values.service_provider_sid, 36),
    account_sid: textColumn(values.account_sid, 36),
    direction: values.direction === 'inbound' || values.direction === 'outbound' ? values.direction : null,
    answered: { true: 1, false: 0 }[String(values.answered)] ?? null,
    trunk: textColumn(values.trunk, 255),
    sip_status: integerColumn(values.sip_status),
    seconds: integerColumn(values.duration),
    delay: clampDelay(answerDelayMs(values, Number(time / 1_000_000n))),
    call_sid_digest: digestColumn(values.call_sid),
    sip_callid_digest: digestColumn(values.sip_callid),
    trace_id_digest: digestColumn(values.trace_id),
    numbers: Buffer.concat([searchableBytes(values.from), Buffer.from('\n'), searchableBytes(values.to)]),
    point: JSON.stringify(values),
  }),
  alerts: (values) => ({
    service_provider_sid: textColumn(values.service_provider_sid, 36),
    account_sid: textColumn(values.account_sid, 36),
    alert_type: textColumn(values.alert_type, 255),
    point: JSON.stringify(values),
  }),
}

/** Narrows the columns of a call to those that the call index needs. */
const toIndexedCall = (row: Columns) => row as unknown as IndexedCall

const toCountedRow = (measurement: Measurement, row: Columns): CountedRow => ({
  ...toIndexedCall(row),
  kind: measurement === 'alerts' ? alertKind : kindOfRow(toIndexedCall(row)),
})

/** Rows per statement. */
const batchSize = 250

const inBatches = async <Item>(items: readonly Item[], work: (batch: Item[]) => Promise<unknown>) => {
  for (let start = 0; start < items.length; start += batchSize) await work(items.slice(start, start + batchSize))
}

/** Writes batches of points, each batch in one transaction. */
export const sqlWriter = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  index: CallIndex,
  backfill: Backfill,
) => {
  const updateCounts = hourCounts({ engine })

  const findStored = async (trx: Connection, table: CallTable, keys: string[]) => {
    const storedRows = new Map<string, { id: number; point: string }>()
    await inBatches(keys, async (batch) => {
      const { rows } = await sql<{ id: number; mark: string; point: string }>`
        select id, mark, point from ${sql.table(table)} where mark in (${sql.join(batch)})`.execute(trx)
      for (const row of rows) storedRows.set(row.mark, row)
    })
    return storedRows
  }

  /**
   * Assigns an id to each new point. If a millisecond has more than 1024 points, as from writers with clocks of seconds, some
   * get ids of the following milliseconds.
   */
  const assignIds = async (trx: Connection, table: CallTable, newPoints: PendingPoint[]) => {
    const preferences = newPoints.map(({ time, dedupeKey: mark }) => preferredId(time, mark))
    const usedIds = new Set<number>()
    const loadedMs = new Set<number>()
    const loadMs = async (first: number) => {
      if (loadedMs.has(first)) return
      loadedMs.add(first)
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(table)} where id between ${first} and ${lastIdOfMs(first)}`.execute(trx)
      for (const { id } of rows) usedIds.add(id)
    }
    await inBatches([...new Set(preferences.map(({ preferred }) => preferred))], async (batch) => {
      const { rows } = await sql<{ id: number }>`
        select id from ${sql.table(table)} where id in (${sql.join(batch)})`.execute(trx)
      for (const { id } of rows) await loadMs(firstIdOfMs(id))
    })
    const preferredIds = new Set<number>()
    for (const { preferred, first } of preferences) {
      if (preferredIds.has(preferred)) await loadMs(first)
      preferredIds.add(preferred)
    }
    const ids: number[] = []
    for (const preference of preferences) {
      let { first } = preference
      let id = freeId(preference, usedIds)
      while (id === undefined) {
        first = firstIdOfNextMs(first)
        await loadMs(first)
        id = freeId({ preferred: first, first }, usedIds)
      }
      usedIds.add(id)
      ids.push(id)
    }
    return ids
  }

  const insert = (trx: Connection, table: CallTable, rows: Columns[]) =>
    inBatches(rows, (batch) =>
      trx
        .insertInto(table)
        .values(batch as never)
        .execute(),
    )

  const storePoints = async (trx: Connection, measurement: Measurement, points: readonly Point[]) => {
    const table = tables[measurement]
    const indexedUpTo = measurement === 'cdrs' ? await backfill.indexedUpTo(trx) : 0
    const pendingPoints = await mergePoints(trx, measurement, points)
    const storedRows = await findStored(trx, table, [...pendingPoints.keys()])
    const newPoints = [...pendingPoints.values()].filter(({ dedupeKey: mark }) => !storedRows.has(mark))
    const ids = await assignIds(trx, table, newPoints)
    const rows = newPoints.map(({ dedupeKey: mark, values, time }, index): Columns => ({
      id: ids[index]!,
      mark,
      ...columnsFor[measurement](values, time),
    }))
    await insert(trx, table, rows)
    const newRows: Columns[] = [...rows]
    const oldRows: Columns[] = []
    for (const [mark, { id, point }] of storedRows) {
      const { time, values } = pendingPoints.get(mark)!
      const oldValues = JSON.parse(point) as Values
      const row = columnsFor[measurement](mergeValues(oldValues, values), time)
      // The same point again.
      if (row.point === point) continue
      await trx
        .updateTable(table)
        .set(row as never)
        .where('id', '=', id)
        .execute()
      oldRows.push({ ...columnsFor[measurement](oldValues, time), id })
      newRows.push({ ...row, id })
    }
    const indexedCalls = (calls: Columns[]) => calls.map(toIndexedCall).filter(({ id }) => id <= indexedUpTo)
    await index.remove(trx, indexedCalls(oldRows))
    await index.add(trx, indexedCalls(newRows))
    const changes = (rows: Columns[], sign: 1 | -1) =>
      rows.flatMap((row) => tenantChanges(toCountedRow(measurement, row), sign))
    await updateCounts(trx, [...changes(oldRows, -1), ...changes(newRows, 1)])
  }

  /** Another process stored the same point or took the same id first: the batch is retried. */
  const maxAttempts = 5

  const writeBatch = (batch: Batch[]) =>
    withTransaction(db, async (trx) => {
      for (const measurement of ['cdrs', 'alerts'] as const) {
        const points = batch.filter((item) => item.measurement === measurement).flatMap((each) => each.points)
        if (points.length > 0) await storePoints(trx, measurement, points)
      }
    })

  const commit = async (batch: Batch[], attempt = 1): Promise<void> => {
    try {
      await writeBatch(batch)
    } catch (error) {
      const databaseError = classifyDatabaseError(error)
      if (engine === 'mysql' && attempt < maxAttempts && databaseError?.kind === 'duplicate')
        return commit(batch, attempt + 1)
      throw toPortError(error)
    }
  }
  return commit
}
