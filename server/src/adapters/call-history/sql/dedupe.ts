import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection } from '../../../db/repository-options'
import { arrivalField, tagNames, type Measurement, type Point } from '../../../ports/call-history'
import { computeIdPreference, lastIdOfMs } from './time-ids'

export type Values = Record<string, string | number | boolean>

/** A point to write. */
export interface PendingPoint {
  dedupeKey: string
  timeNs: bigint
  values: Values
}

/** The identifier of the call to which a point belongs; undefined if the point has none. */
const callIdentifierOf = ({ fields }: Point) => fields.call_sid ?? fields.sip_callid

const tagsAndTimeOf = ({ tags, timeNs }: Point) => [
  Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  String(timeNs),
]

/** Points with the same key are one record: they have the same tags, time, and call (or alert content). */
const dedupeKeyOf = (measurement: Measurement, point: Point): string => {
  const { fields, timeNs } = point
  const subject = measurement === 'cdrs' ? callIdentifierOf(point) : [fields.message, fields.detail, fields.target_sid]
  const text = JSON.stringify([...tagsAndTimeOf(point), subject ?? null])
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 13)
  return (timeNs / 1_000_000n).toString(36).padStart(9, '0') + digest
}

/**
 * The dedupe key of a stored call with the same tags and time. A later point, for example with the price, may have no
 * identifier of its call. All tags must match, so the owner is the same.
 */
const findStoredKey = async (trx: Connection, point: Point): Promise<string | undefined> => {
  const { tags, timeNs } = point
  const { preferredId, firstIdInMs } = computeIdPreference(timeNs, dedupeKeyOf('cdrs', point))
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

/** Returns a lookup for a point without an identifier: the dedupe key of the batch's call with the same tags and time. */
const createBatchKeyLookup = (points: readonly Point[]) => {
  const keys = new Map<string, string>()
  for (const point of points) {
    const tagsAndTime = JSON.stringify(tagsAndTimeOf(point))
    if (callIdentifierOf(point) !== undefined && !keys.has(tagsAndTime))
      keys.set(tagsAndTime, dedupeKeyOf('cdrs', point))
  }
  return (point: Point) => keys.get(JSON.stringify(tagsAndTimeOf(point)))
}

/** Returns the points by dedupe key. Points of one batch with the same key are merged. */
export const mergePoints = async (
  trx: Connection,
  measurement: Measurement,
  points: readonly Point[],
): Promise<Map<string, PendingPoint>> => {
  const lacksCallIdentifier = (point: Point) => measurement === 'cdrs' && callIdentifierOf(point) === undefined
  const findKeyInBatch = createBatchKeyLookup(points.some(lacksCallIdentifier) ? points : [])
  const pendingPoints = new Map<string, PendingPoint>()
  for (const point of points) {
    const callKey = lacksCallIdentifier(point)
      ? ((await findStoredKey(trx, point)) ?? findKeyInBatch(point))
      : undefined
    const dedupeKey = callKey ?? dedupeKeyOf(measurement, point)
    const earlierPoint = pendingPoints.get(dedupeKey)
    pendingPoints.set(dedupeKey, {
      dedupeKey,
      timeNs: point.timeNs,
      values: mergeValues(earlierPoint?.values, { ...point.fields, ...point.tags }),
    })
  }
  return pendingPoints
}
