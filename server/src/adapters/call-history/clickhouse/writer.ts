import { createHash } from 'node:crypto'
import { PointsRejectedError, arrivalField, type Measurement, type Point } from '../../../ports/call-history'
import { createGroupCommit } from '../../sql/group-commit'
import { normalizePoints } from '../normalize-points'
import { createBatchKeyLookup, formatIdentity, lacksCallIdentifier } from '../point-identity'
import type { ClickHouseConnection, Values } from './connection'
import { arrivalOf, hasIdentifier, toIdentifierRows } from './identifiers'
import { nextArrivalPrefix } from './rows'
import { findStoredKeys } from './stored-keys'
import { identifierTable, isOwnerColumn, recordTables, unknownArrival } from './tables'

interface Batch {
  measurement: Measurement
  points: readonly Point[]
}

/** Points per insert. ClickHouse prefers few large inserts. */
const maxBatchSize = 10_000
const maxQueueSize = 100_000
/** Each insert creates a part that ClickHouse merges later, so a server inserts at most ten times per second. */
const defaultMinIntervalMs = 100

/** The range of times that a column can hold, in nanoseconds since 1970. */
const [minTimeNs, maxTimeNs] = [-(2n ** 63n), 2n ** 63n - 1n]

/** Replaces halves of surrogate pairs, which are no valid UTF-8. */
const toStoredText = (value: string): string => Buffer.from(value).toString()

/** The key that distinguishes records of the same owner and time, as a 64-bit number. */
const computeRecordKey = (measurement: Measurement, point: Point): string =>
  createHash('sha256').update(formatIdentity(measurement, point)).digest().readBigUInt64BE().toString()

const toStoredValue = (value: Point['fields'][string]) => (typeof value === 'string' ? toStoredText(value) : value)

/** Converts a point to a row. Columns that the point does not have are left out: they keep their stored values. */
const toRow = (measurement: Measurement, { tags, fields, timeNs }: Point, recordKey: string): Values => {
  const { columns, recordKey: keyColumn } = recordTables[measurement]
  const row: Values = { time_ns: String(timeNs), [keyColumn]: recordKey }
  const otherFields: Record<string, string> = {}
  const prefix = nextArrivalPrefix()
  for (const [name, value] of Object.entries({ ...fields, ...tags })) {
    if (name === arrivalField) continue
    const type = columns[name]
    if (type === 'timestamp') row[name] = Math.trunc(Number(value))
    else if (type) row[name] = toStoredValue(value)
    else otherFields[toStoredText(name)] = prefix + JSON.stringify(toStoredValue(value))
  }
  for (const name of Object.keys(columns)) if (isOwnerColumn(name)) row[name] ??= ''
  return { ...row, fields: otherFields }
}

/** Splits points into those that a table can hold, and the reasons against the others. */
const validatePoints = (measurement: Measurement, points: readonly Point[]) => {
  const { validPoints, invalidNames } = normalizePoints(measurement, points)
  const storablePoints = validPoints.filter(({ timeNs }) => timeNs >= minTimeNs && timeNs <= maxTimeNs)
  const problems = [
    ...(invalidNames === '' ? [] : [`not a number: ${invalidNames}`]),
    ...(storablePoints.length < validPoints.length ? ['time outside range'] : []),
  ]
  return { storablePoints, problems }
}

/** Creates a writer of points. Concurrent writes share one insert. */
export const createClickHouseWriter = (
  connection: ClickHouseConnection,
  { minIntervalMs = defaultMinIntervalMs }: { minIntervalMs?: number } = {},
) => {
  let lastInsertAt = -Infinity
  const waitForInterval = async () => {
    const waitMs = lastInsertAt + minIntervalMs - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    lastInsertAt = performance.now()
  }

  /** Returns the record key of each point. A point that does not name its call gets the key of that call. */
  const findRecordKeys = async (measurement: Measurement, points: readonly Point[]): Promise<string[]> => {
    const unnamedPoints = points.filter((point) => lacksCallIdentifier(measurement, point))
    const computeKey = (point: Point) => computeRecordKey(measurement, point)
    if (unnamedPoints.length === 0) return points.map(computeKey)
    const storedKeys = await findStoredKeys(connection, unnamedPoints)
    const findKeyInBatch = createBatchKeyLookup(points, computeKey)
    return points.map((point) => {
      const callKey = lacksCallIdentifier(measurement, point)
        ? (storedKeys.get(point) ?? findKeyInBatch(point))
        : undefined
      return callKey ?? computeKey(point)
    })
  }

  const storeCalls = async (points: readonly Point[]) => {
    const keys = await findRecordKeys('cdrs', points)
    const identifierRows: Values[] = []
    const rows = points.map((point, index) => {
      const row = toRow('cdrs', point, keys[index]!)
      const arrival = arrivalOf(point.fields)
      identifierRows.push(...toIdentifierRows(row, arrival))
      return { ...row, arrival: hasIdentifier(row) ? arrival : unknownArrival }
    })
    // If the second insert fails, the writer sends everything again.
    await connection.insert(identifierTable, identifierRows)
    await connection.insert(recordTables.cdrs.name, rows)
  }

  const storeAlerts = (points: readonly Point[]) =>
    connection.insert(
      recordTables.alerts.name,
      points.map((point) => ({
        ...toRow('alerts', point, computeRecordKey('alerts', point)),
        arrival: unknownArrival,
      })),
    )

  const commit = async (batches: Batch[]): Promise<void> => {
    await waitForInterval()
    const listPoints = (measurement: Measurement) =>
      batches.filter((batch) => batch.measurement === measurement).flatMap(({ points }) => points)
    const [calls, alerts] = [listPoints('cdrs'), listPoints('alerts')]
    if (calls.length > 0) await storeCalls(calls)
    if (alerts.length > 0) await storeAlerts(alerts)
  }

  const { write, getQueueSize } = createGroupCommit({
    commit,
    sizeOf: ({ points }: Batch) => points.length,
    maxBatchSize,
    maxQueueSize,
    overloadMessage: 'Records arrive faster than they can be stored. Send them again later.',
  })

  const writePoints = async (measurement: Measurement, points: readonly Point[]): Promise<void> => {
    const { storablePoints, problems } = validatePoints(measurement, points)
    if (storablePoints.length > 0) await write({ measurement, points: storablePoints })
    if (problems.length > 0) throw new PointsRejectedError(problems.join('; '))
  }

  return { writePoints, getQueueSize }
}
