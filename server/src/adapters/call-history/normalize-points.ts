import type { Measurement, Point } from '../../ports/call-history'
import { normalizeField } from './rows'

/**
 * Converts fields to the types that all writers use. Returns valid points, and the names of fields that cannot be converted.
 */
export const normalizePoints = (measurement: Measurement, points: readonly Point[]) => {
  const invalidNames = new Set<string>()
  const validPoints = points.flatMap((point) => {
    const fields = Object.entries(point.fields).map(
      ([name, value]) => [name, normalizeField(measurement, name, value)] as const,
    )
    const invalidFields = fields.filter(([, value]) => value === undefined)
    for (const [name] of invalidFields) invalidNames.add(name)
    const presentFields = fields.filter(
      (field): field is [string, string | number | boolean] => (field[1] ?? null) !== null,
    )
    return invalidFields.length > 0 ? [] : [{ ...point, fields: Object.fromEntries(presentFields) }]
  })
  return { validPoints, invalidNames: [...invalidNames].join(', ').slice(0, 200) }
}
