import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Connection } from '../../../db/repository'
import { arrivalField, tagNames, type Kept, type Point } from '../../../ports/call-history'
import { idsFor, lastOfMoment } from './time-ids'

export type Values = Record<string, string | number | boolean>

/** A point on its way in. */
export interface Entry {
  mark: string
  time: bigint
  values: Values
}

/** Of which call a point speaks; undefined where it does not say. */
const callOf = ({ fields }: Point) => fields.call_sid ?? fields.sip_callid

/** What two points have in common that are one: their tags and their time, and of which call or of what they speak. */
const markOf = (kept: Kept, point: Point): string => {
  const { tags, fields, time } = point
  const series = Object.entries(tags).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const about = kept === 'cdrs' ? callOf(point) : [fields.message, fields.detail, fields.target_sid]
  const text = JSON.stringify([series, String(time), about ?? null])
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 13)
  return (time / 1_000_000n).toString(36).padStart(9, '0') + digest
}

/**
 * What was kept of the same series and time: who adds to a call later, as its price, may do so without naming it. Each
 * tag is compared, so that it is the same owner's.
 */
const meant = async (trx: Connection, point: Point): Promise<string | undefined> => {
  const { tags, time } = point
  const { wanted, first } = idsFor(time, markOf('cdrs', point))
  const { rows } = await sql<{ id: number; mark: string; point: string }>`select id, mark, point from trunkline_calls
    where id between ${first} and ${lastOfMoment(first)} order by id`.execute(trx)
  const names = new Set([...tagNames.cdrs, ...Object.keys(tags)])
  const found = rows.filter(({ id, point }) => {
    // beyond the millisecond the time of a call is its place
    if (time % 1_000_000n > 0n && id !== wanted) return false
    const values = JSON.parse(point) as Values
    return [...names].every((name) => String(values[name] ?? '') === (tags[name] ?? ''))
  })
  return found[0]?.mark
}

/** By what a call is found, and so opens what belongs to it. */
const names = ['call_sid', 'sip_callid', 'trace_id']

/** The arrival of a record to which something is added; none: it is a record of the platform. */
const arrivalOf = (before: Values, added: Values): Values[string] | undefined => {
  const known = before[arrivalField]
  const isPlatforms = added[arrivalField] === undefined
  if (isPlatforms && known !== undefined) {
    // adding a price says nothing about a name that a key has given
    const confirms = names.every((name) => added[name] === (before[name] ?? added[name]))
    return confirms ? undefined : known
  }
  const renames = names.some((name) => added[name] !== undefined && added[name] !== before[name])
  return renames ? added[arrivalField] : known
}

/** What is known of a record once something is added to it. */
export const withAdded = (before: Values | undefined, added: Values): Values => {
  const values = { ...before, ...added }
  const arrival = before ? arrivalOf(before, added) : added[arrivalField]
  if (arrival === undefined) delete values[arrivalField]
  else values[arrivalField] = arrival
  return values
}

/** Points by their marks. The same point twice in one go is one, with the fields of both. */
export const merged = async (trx: Connection, kept: Kept, points: readonly Point[]): Promise<Map<string, Entry>> => {
  const entries = new Map<string, Entry>()
  for (const point of points) {
    const adding = kept === 'cdrs' && callOf(point) === undefined
    const mark = (adding ? await meant(trx, point) : undefined) ?? markOf(kept, point)
    const before = entries.get(mark)
    entries.set(mark, { mark, time: point.time, values: withAdded(before?.values, { ...point.fields, ...point.tags }) })
  }
  return entries
}
