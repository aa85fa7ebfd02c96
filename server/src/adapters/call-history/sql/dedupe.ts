import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection } from '../../../db/repository-options'
import { arrivalField, tagNames, type Measurement, type Point } from '../../../ports/call-history'
import { preferredId, lastIdOfMs } from './time-ids'

export type Values = Record<string, string | number | boolean>

/** A point to write. */
export interface PendingPoint {
  dedupeKey: string
  time: bigint
  values: Values
}

/** The call to which a point belongs; undefined if it does not name one. */
const callIdOf = ({ fields }: Point) => fields.call_sid ?? fields.sip_callid

/** Points with the same key are one record: they have the same tags, time, and call (or alert content). */
const dedupeKeyOf = (measurement: Measurement, point: Point): string => {
  const { tags, fields, time } = point
  const series = Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const subject = measurement === 'cdrs' ? callIdOf(point) : [fields.message, fields.detail, fields.target_sid]
  const text = JSON.stringify([series, String(time), subject ?? null])
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 13)
  return (time / 1_000_000n).toString(36).padStart(9, '0') + digest
}

/**
 * The key of a stored call with the same tags and time: a later point, for example with the price, may not name its call. All
 * tags must match, so the owner is the same.
 */
const findStoredKey = async (trx: Connection, point: Point): Promise<string | undefined> => {
  const { tags, time } = point
  const { preferred, first } = preferredId(time, dedupeKeyOf('cdrs', point))
  const { rows } = await sql<{
    id: number
    mark: string
    point: string
  }>`select id, mark, point from trunkline_calls
    where id between ${first} and ${lastIdOfMs(first)} order by id`.execute(trx)
  const tagColumns = new Set([...tagNames.cdrs, ...Object.keys(tags)])
  const matches = rows.filter(({ id, point }) => {
    // A point with sub-millisecond time is stored under its preferred id.
    if (time % 1_000_000n > 0n && id !== preferred) return false
    const values = JSON.parse(point) as Values
    return [...tagColumns].every((name) => String(values[name] ?? '') === (tags[name] ?? ''))
  })
  return matches[0]?.mark
}

/** Identifiers of a call. They give access to its recording, trace and capture. */
const callIdentifiers = ['call_sid', 'sip_callid', 'trace_id']

/** The arrival of a record after a point is merged into it; undefined for a record of the platform. */
const mergedArrival = (stored: Values, addition: Values): Values[string] | undefined => {
  const storedArrival = stored[arrivalField]
  const isFromPlatform = addition[arrivalField] === undefined
  if (isFromPlatform && storedArrival !== undefined) {
    // A price from the platform does not confirm an identifier that a key has written.
    const confirmsIdentifiers = callIdentifiers.every((name) => addition[name] === (stored[name] ?? addition[name]))
    return confirmsIdentifiers ? undefined : storedArrival
  }
  const changesIdentifiers = callIdentifiers.some(
    (name) => addition[name] !== undefined && addition[name] !== stored[name],
  )
  return changesIdentifiers ? addition[arrivalField] : storedArrival
}

/** Merges a point into a stored record. */
export const mergeValues = (stored: Values | undefined, addition: Values): Values => {
  const values = { ...stored, ...addition }
  const arrival = stored ? mergedArrival(stored, addition) : addition[arrivalField]
  if (arrival === undefined) delete values[arrivalField]
  else values[arrivalField] = arrival
  return values
}

/** Points by dedupe key. Points of one batch with the same key are merged. */
export const mergePoints = async (
  trx: Connection,
  measurement: Measurement,
  points: readonly Point[],
): Promise<Map<string, PendingPoint>> => {
  const pendingPoints = new Map<string, PendingPoint>()
  for (const point of points) {
    const isAddition = measurement === 'cdrs' && callIdOf(point) === undefined
    const dedupeKey = (isAddition ? await findStoredKey(trx, point) : undefined) ?? dedupeKeyOf(measurement, point)
    const stored = pendingPoints.get(dedupeKey)
    pendingPoints.set(dedupeKey, {
      dedupeKey,
      time: point.time,
      values: mergeValues(stored?.values, { ...point.fields, ...point.tags }),
    })
  }
  return pendingPoints
}
