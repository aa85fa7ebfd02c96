import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError } from '../../ports/recordings'
import { ending } from './storage-errors'

/** The system resolves names, and may be slow. */
const lookupTimeoutMs = 5_000

const addressesOf = async (host: string): Promise<string[]> => {
  if (isIP(host)) return [host]
  const addresses = await ending(lookup(host, { all: true }), AbortSignal.timeout(lookupTimeoutMs), {})
  return addresses.map(({ address }) => address)
}

/**
 * Refuses the address of a storage that may not be connected to. This is only the early and clear answer: a name may lead elsewhere
 * a moment later, so the connection is guarded too.
 */
export const checkAddress = async (url: string, permitted: (address: string) => boolean): Promise<void> => {
  if (!URL.canParse(url)) throw new StorageError(messages.badEndpoint)
  const addresses = await addressesOf(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  if (!addresses.some(permitted)) throw new StorageError(messages.fault.unreachable)
}
