import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError } from '../../ports/object-storage'
import { runStorageRequest } from './storage-errors'

/** DNS lookups may be slow. */
const lookupTimeoutMs = 5_000

const resolveAddresses = async (host: string): Promise<string[]> => {
  if (isIP(host)) return [host]
  const addresses = await runStorageRequest(lookup(host, { all: true }), AbortSignal.timeout(lookupTimeoutMs), {})
  return addresses.map(({ address }) => address)
}

/**
 * Throws if the server must not connect to the address. This gives an early, clear error; connections are checked as well,
 * because a name may resolve differently later.
 */
export const checkAddress = async (url: string, isAllowed: (address: string) => boolean): Promise<void> => {
  if (!URL.canParse(url)) throw new StorageError(messages.invalidEndpoint)
  const addresses = await resolveAddresses(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  if (!addresses.some(isAllowed)) throw new StorageError(messages.failure.unreachable)
}
