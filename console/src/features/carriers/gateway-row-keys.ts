/** Shared by the rows of SIP and SMPP gateways. */

let newRowCount = 0

/** Returns a unique key for a new row. */
export const createRowKey = (): string => `new-${(newRowCount += 1)}`

/**
 * Returns whether the row is a stored gateway. The inbound row of a gateway for both directions is not: its outbound
 * row is.
 */
export const isStored = (key: string): boolean => !/^(new-|inbound )/.test(key)

export const toFlag = (value: unknown): 0 | 1 => (value ? 1 : 0)

/** Returns NaN for input that is not a number, so that validation rejects it. */
export const numberOrNaN = (value: number | string | null): number | null =>
  typeof value === 'string' ? Number.NaN : value

/** The body of a gateway, with its row's key and form path: 'gateways.0'. */
export interface PlacedGateway<Body> {
  key: string
  path: string
  body: Body
}
