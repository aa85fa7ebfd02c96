import { sql } from 'kysely'
import { classifyDatabaseError } from '../../../db/errors'
import type { Store } from '../../../db/repository'
import type { Connection } from '../../../db/repository-options'
import { withTransaction } from '../../../db/transaction'
import type { Measurement, Point } from '../../../ports/call-history'
import { forEachBatch } from '../../sql/batches'
import { toPortError } from '../../sql/port-errors'
import { assignIds } from './assign-ids'
import type { Backfill } from './backfill'
import { alertIndex } from './alert-index'
import type { CallIndex } from './call-index'
import { mergePoints, mergeValues, type PendingPoint, type Values } from './dedupe'
import { createHourCountUpdater, buildTenantChanges } from './hour-counts'
import { tablesByMeasurement, type CallTable } from './index-scan'
import { toColumns, toCountedRow, toIndexedRow, type Columns } from './point-columns'

interface Batch {
  measurement: Measurement
  points: readonly Point[]
}

/** Rows per statement. */
const batchSize = 250

/** Attempts per batch. A batch is retried if another process has stored the same point or used the same id first. */
const maxAttempts = 5

interface StoredPoint {
  id: number
  /** The column of the dedupe key. */
  mark: string
  /** The complete point as JSON. */
  point: string
}

/** Finds stored points by dedupe key. */
const findStoredPoints = async (trx: Connection, table: CallTable, dedupeKeys: string[]): Promise<StoredPoint[]> => {
  const storedPoints: StoredPoint[] = []
  await forEachBatch(dedupeKeys, batchSize, async (batch) => {
    const { rows } = await sql<StoredPoint>`
      select id, mark, point from ${sql.table(table)} where mark in (${sql.join(batch)})`.execute(trx)
    storedPoints.push(...rows)
  })
  return storedPoints
}

/** Inserts new points and returns their rows. */
const insertPoints = async (
  trx: Connection,
  measurement: Measurement,
  newPoints: PendingPoint[],
): Promise<Columns[]> => {
  const table = tablesByMeasurement[measurement]
  const ids = await assignIds(trx, table, newPoints)
  const rows = newPoints.map(({ dedupeKey, values, timeNs }, index): Columns => ({
    id: ids[index]!,
    mark: dedupeKey,
    ...toColumns[measurement](values, timeNs),
  }))
  await forEachBatch(rows, batchSize, (batch) =>
    trx
      .insertInto(table)
      .values(batch as never)
      .execute(),
  )
  return rows
}

/** Merges a point into a stored one. Returns the old and the new row, or undefined if nothing has changed. */
const updatePoint = async (
  trx: Connection,
  measurement: Measurement,
  { id, point }: StoredPoint,
  { timeNs, values }: PendingPoint,
): Promise<{ oldRow: Columns; newRow: Columns } | undefined> => {
  const oldValues = JSON.parse(point) as Values
  const newColumns = toColumns[measurement](mergeValues(oldValues, values), timeNs)
  if (newColumns.point === point) return undefined
  await trx
    .updateTable(tablesByMeasurement[measurement])
    .set(newColumns as never)
    .where('id', '=', id)
    .execute()
  return { oldRow: { ...toColumns[measurement](oldValues, timeNs), id }, newRow: { ...newColumns, id } }
}

/** Creates a function that writes points. It writes the batches that it receives in one transaction. */
export const createSqlWriter = (
  { database: { db, engine } }: Pick<Store, 'database'>,
  callIndex: Pick<CallIndex, 'add' | 'remove'>,
  backfills: Record<Measurement, Backfill>,
) => {
  const updateCounts = createHourCountUpdater({ engine })
  const indexes = { cdrs: callIndex, alerts: alertIndex }

  const storePoints = async (trx: Connection, measurement: Measurement, points: readonly Point[]) => {
    const lastIndexedId = await backfills[measurement].readLastIndexedId(trx)
    const index = indexes[measurement]
    const pendingPoints = await mergePoints(trx, measurement, points)
    const storedPoints = await findStoredPoints(trx, tablesByMeasurement[measurement], [...pendingPoints.keys()])
    const storedKeys = new Set(storedPoints.map(({ mark }) => mark))
    const newPoints = [...pendingPoints.values()].filter(({ dedupeKey }) => !storedKeys.has(dedupeKey))
    const newRows = await insertPoints(trx, measurement, newPoints)
    const oldRows: Columns[] = []
    for (const storedPoint of storedPoints) {
      const update = await updatePoint(trx, measurement, storedPoint, pendingPoints.get(storedPoint.mark)!)
      if (!update) continue
      oldRows.push(update.oldRow)
      newRows.push(update.newRow)
    }
    const toIndexedRows = (rows: Columns[]) => rows.map(toIndexedRow).filter(({ id }) => id <= lastIndexedId)
    await index.remove(trx, toIndexedRows(oldRows))
    await index.add(trx, toIndexedRows(newRows))
    const countChanges = (rows: Columns[], sign: 1 | -1) =>
      rows.flatMap((row) => buildTenantChanges(toCountedRow(measurement, row), sign))
    await updateCounts(trx, [...countChanges(oldRows, -1), ...countChanges(newRows, 1)])
  }

  const writeBatches = (batches: Batch[]) =>
    withTransaction(db, async (trx) => {
      for (const measurement of ['cdrs', 'alerts'] as const) {
        const points = batches.filter((batch) => batch.measurement === measurement).flatMap((batch) => batch.points)
        if (points.length > 0) await storePoints(trx, measurement, points)
      }
    })

  const commit = async (batches: Batch[], attempt = 1): Promise<void> => {
    try {
      await writeBatches(batches)
    } catch (error) {
      const databaseError = classifyDatabaseError(error)
      if (engine === 'mysql' && attempt < maxAttempts && databaseError?.kind === 'duplicate')
        return commit(batches, attempt + 1)
      throw toPortError(error)
    }
  }
  return commit
}
