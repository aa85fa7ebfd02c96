/** What rows of gateways have in common, whatever they carry. */

let rowsMade = 0

/** Tells a new row from all others. */
export const nextKey = (): string => `new-${(rowsMade += 1)}`

/** Whether the row is a stored gateway of its own. The inbound half of one that goes both ways is not. */
export const isStored = (key: string): boolean => !/^(new-|inbound )/.test(key)

export const bit = (value: unknown): 0 | 1 => (value ? 1 : 0)

/** What was typed and is no number is none. */
export const wholeNumber = (value: number | string | null): number | null =>
  typeof value === 'string' ? Number.NaN : value

/** A gateway as it is sent, with the key of its row and where that stands in the form: 'gateways.0'. */
export interface Placed<Body> {
  key: string
  path: string
  body: Body
}
