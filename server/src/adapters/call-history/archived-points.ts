import { tagNames, type Measurement, type Point } from '../../ports/call-history'

type Field = Point['fields'][string]

const isField = (value: unknown): value is Field =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Converts the values of a stored record to a point: known tags to tags, and the others to fields. */
export const toArchivedPoint = (
  measurement: Measurement,
  values: Readonly<Record<string, unknown>>,
  timeNs: bigint,
): Point => {
  const tags: Point['tags'] = {}
  const fields: Point['fields'] = {}
  for (const [name, value] of Object.entries(values)) {
    if (!isField(value)) continue
    if (!tagNames[measurement].includes(name)) fields[name] = value
    else if (value !== '') tags[name] = String(value)
  }
  return { tags, fields, timeNs }
}
