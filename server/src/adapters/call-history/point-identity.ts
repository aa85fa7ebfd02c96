import type { Measurement, Point } from '../../ports/call-history'

/** The identifier of the call to which a point belongs; undefined if the point has none. */
export const callIdentifierOf = ({ fields }: Point) => fields.call_sid ?? fields.sip_callid

const tagsAndTimeOf = ({ tags, timeNs }: Point) => [
  Object.entries(tags).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  String(timeNs),
]

/** Points with the same text are one record: they have the same tags, time, and call (or alert content). */
export const formatIdentity = (measurement: Measurement, point: Point): string => {
  const { fields } = point
  const subject = measurement === 'cdrs' ? callIdentifierOf(point) : [fields.message, fields.detail, fields.target_sid]
  return JSON.stringify([...tagsAndTimeOf(point), subject ?? null])
}

/** Whether a point belongs to a call, but does not name it, for example because it only adds the price. */
export const lacksCallIdentifier = (measurement: Measurement, point: Point): boolean =>
  measurement === 'cdrs' && callIdentifierOf(point) === undefined

/** Returns a lookup for a point without an identifier: the key of the batch's call with the same tags and time. */
export const createBatchKeyLookup = (points: readonly Point[], computeKey: (point: Point) => string) => {
  const keys = new Map<string, string>()
  for (const point of points) {
    const tagsAndTime = JSON.stringify(tagsAndTimeOf(point))
    if (callIdentifierOf(point) !== undefined && !keys.has(tagsAndTime)) keys.set(tagsAndTime, computeKey(point))
  }
  return (point: Point) => keys.get(JSON.stringify(tagsAndTimeOf(point)))
}
