let newRowCount = 0

/** Returns a unique key for a new row. */
export const createRowKey = (): string => `new-${(newRowCount += 1)}`

/**
 * Returns whether a row's key is the SID of a stored gateway. A two-way SMPP gateway has two rows: the outbound row has
 * its SID, and the inbound row counts as new.
 */
export const isStoredKey = (key: string): boolean => !/^(new-|inbound )/.test(key)

export const toFlag = (value: unknown): 0 | 1 => (value ? 1 : 0)

/** Returns NaN for input that is not a number, so that validation rejects it. */
export const toNumberOrNaN = (value: number | string | null): number | null =>
  typeof value === 'string' ? Number.NaN : value

/** The body of a gateway, with its row's key and form path: 'gateways.0'. */
export interface GatewayRowBody<Body> {
  key: string
  path: string
  body: Body
}
