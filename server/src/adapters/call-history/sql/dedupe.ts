import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection } from '../../../db/repository-options'
import { arrivalField, tagNames, type Measurement, type Point } from '../../../ports/call-history'
import { createBatchKeyLookup, formatIdentity, lacksCallIdentifier } from '../point-identity'
import { computeIdPreference, lastIdOfMs } from './time-ids'

export type Values = Record<string, string | number | boolean>

/** A point to write. */
export interface PendingPoint {
  dedupeKey: string
  timeNs: bigint
  values: Values
}

/** Points with the same key are one record. */
export const computeDedupeKey = (measurement: Measurement, point: Point): string => {
  const digest = createHash('sha256').update(formatIdentity(measurement, point)).digest('base64url').slice(0, 13)
  return (point.timeNs / 1_000_000n).toString(36).padStart(9, '0') + digest
}

/**
 * The dedupe key of a stored call with the same tags and time. A later point, for example with the price, may have no
 * identifier of its call. All tags must match, so the owner is the same.
 */
const findStoredKey = async (trx: Connection, point: Point): Promise<string | undefined> => {
  const { tags, timeNs } = point
  const { preferredId, firstIdInMs } = computeIdPreference(timeNs, computeDedupeKey('cdrs', point))
  const { rows } = await sql<{
    id: number
    /** The column of the dedupe key. */
    mark: string
    point: string
  }>`select id, mark, point from trunkline_calls
    where id between ${firstIdInMs} and ${lastIdOfMs(firstIdInMs)} order by id`.execute(trx)
  const comparedTags = new Set([...tagNames.cdrs, ...Object.keys(tags)])
  const matchingRows = rows.filter(({ id, point: storedPoint }) => {
    // A point with sub-millisecond time is stored under its preferred id.
    if (timeNs % 1_000_000n > 0n && id !== preferredId) return false
    const values = JSON.parse(storedPoint) as Values
    return [...comparedTags].every((name) => String(values[name] ?? '') === (tags[name] ?? ''))
  })
  return matchingRows[0]?.mark
}

/** Identifiers of a call. They give access to its recording, trace and capture. */
const callIdentifierFields = ['call_sid', 'sip_callid', 'trace_id']

/** Returns the arrival time of a record after a point is merged into it; undefined if it counts as a record of the platform. */
const mergeArrivals = (storedValues: Values, newValues: Values): Values[string] | undefined => {
  const storedArrival = storedValues[arrivalField]
  const isFromPlatform = newValues[arrivalField] === undefined
  if (isFromPlatform && storedArrival !== undefined) {
    // A price from the platform does not confirm an identifier that was written with an API key.
    const confirmsIdentifiers = callIdentifierFields.every(
      (name) => newValues[name] === (storedValues[name] ?? newValues[name]),
    )
    return confirmsIdentifiers ? undefined : storedArrival
  }
  const changesIdentifiers = callIdentifierFields.some(
    (name) => newValues[name] !== undefined && newValues[name] !== storedValues[name],
  )
  return changesIdentifiers ? newValues[arrivalField] : storedArrival
}

/** Merges a point into a stored record. */
export const mergeValues = (storedValues: Values | undefined, newValues: Values): Values => {
  const values = { ...storedValues, ...newValues }
  const arrival = storedValues ? mergeArrivals(storedValues, newValues) : newValues[arrivalField]
  if (arrival === undefined) delete values[arrivalField]
  else values[arrivalField] = arrival
  return values
}

/** Returns the points by dedupe key. Points of one batch with the same key are merged. */
export const mergePoints = async (
  trx: Connection,
  measurement: Measurement,
  points: readonly Point[],
): Promise<Map<string, PendingPoint>> => {
  const lacksIdentifier = (point: Point) => lacksCallIdentifier(measurement, point)
  const findKeyInBatch = createBatchKeyLookup(points.some(lacksIdentifier) ? points : [], (point) =>
    computeDedupeKey('cdrs', point),
  )
  const pendingPoints = new Map<string, PendingPoint>()
  for (const point of points) {
    const callKey = lacksIdentifier(point) ? ((await findStoredKey(trx, point)) ?? findKeyInBatch(point)) : undefined
    const dedupeKey = callKey ?? computeDedupeKey(measurement, point)
    const earlierPoint = pendingPoints.get(dedupeKey)
    pendingPoints.set(dedupeKey, {
      dedupeKey,
      timeNs: point.timeNs,
      values: mergeValues(earlierPoint?.values, { ...point.fields, ...point.tags }),
    })
  }
  return pendingPoints
}
