import { createHash } from 'node:crypto'
import { normalizeField } from '../../adapters/call-history/rows'
import { arrivalField, type Measurement, type Point } from '../../ports/call-history'

const callIdentifierFields = ['call_sid', 'sip_callid', 'trace_id']

/**
 * Converts the fields of a point to the types that every store accepts. Returns the names of the fields that are left out,
 * because a store of another kind would reject them.
 */
export const convertPoint = (measurement: Measurement, point: Point): { point: Point; droppedNames: string[] } => {
  const droppedNames: string[] = []
  const fields: Point['fields'] = {}
  for (const [name, value] of Object.entries(point.fields)) {
    const normalizedValue = normalizeField(measurement, name, value)
    if (normalizedValue === undefined) droppedNames.push(name)
    else if (normalizedValue !== null) fields[name] = normalizedValue
  }
  return { point: { ...point, fields }, droppedNames }
}

/**
 * Returns a digest of a record that does not depend on its store: of its time in milliseconds, its owner and type, and its
 * fields. Stores differ in fractions of a millisecond, and in whether they store empty texts.
 */
export const digestRecord = (measurement: Measurement, point: Point): string => {
  const { tags, fields, timeNs } = convertPoint(measurement, point).point
  const hasIdentifier = callIdentifierFields.some((name) => fields[name] !== undefined)
  const values = Object.entries({ ...fields, ...tags })
    .filter(([name, value]) => value !== '' && (name !== arrivalField || hasIdentifier))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([measurement, String(timeNs / 1_000_000n), values]))
    .digest('base64url')
    .slice(0, 16)
}
