import { isIPv4 } from './address'

/** Splits a comma-separated list of private networks and trims the entries. */
export const parsePrivateNetworks = (list: string): string[] =>
  list.trim() === '' ? [] : list.split(',').map((entry) => entry.trim())

/** Whether this is an IPv4 address, optionally with a prefix length: `10.0.0.0/8`. */
const isNetwork = (entry: string): boolean => {
  const [address = '', prefixLength, ...extraParts] = entry.split('/')
  if (!isIPv4(address) || extraParts.length > 0) return false
  return prefixLength === undefined || (/^\d{1,2}$/.test(prefixLength) && Number(prefixLength) <= 32)
}

/** The first invalid entry; undefined if all are valid. */
export const findInvalidNetwork = (list: string): string | undefined =>
  parsePrivateNetworks(list).find((entry) => !isNetwork(entry))
