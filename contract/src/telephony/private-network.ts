import { isIPv4 } from './address'

/** The entries of a list of private networks, without the blanks around them. */
export const privateNetworks = (list: string): string[] =>
  list.trim() === '' ? [] : list.split(',').map((entry) => entry.trim())

/** An IPv4 address, alone or with the length of its network: `10.0.0.0/8`. */
const isNetwork = (entry: string): boolean => {
  const [address = '', prefixLength, ...rest] = entry.split('/')
  if (!isIPv4(address) || rest.length > 0) return false
  return prefixLength === undefined || (/^\d{1,2}$/.test(prefixLength) && Number(prefixLength) <= 32)
}

/** The first entry that is no network; undefined when all are. */
export const findInvalidNetwork = (list: string): string | undefined =>
  privateNetworks(list).find((entry) => !isNetwork(entry))
