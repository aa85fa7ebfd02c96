import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageFault } from '../../ports/recordings'
import { ending } from './faults'

/** Where clouds tell a machine its own credentials: never the address of a storage. */
const reserved = new BlockList()
reserved.addSubnet('169.254.0.0', 16, 'ipv4')
reserved.addSubnet('fe80::', 10, 'ipv6')
reserved.addAddress('fd00:ec2::254', 'ipv6')

const isReserved = (address: string) => reserved.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Names are looked up by the system, which may take its time about it. */
const patience = 5_000

const addressesOf = async (host: string): Promise<string[]> => {
  if (isIP(host)) return [host]
  const found = await ending(lookup(host, { all: true }), AbortSignal.timeout(patience), {})
  return found.map(({ address }) => address)
}

/** Refuses an address that leads to the machine's own metadata, by number or by name. */
export const checkAddress = async (url: string): Promise<void> => {
  if (!URL.canParse(url)) throw new StorageFault(messages.badEndpoint)
  const found = await addressesOf(new URL(url).hostname.replace(/^\[|\]$/g, ''))
  if (found.some(isReserved)) throw new StorageFault(messages.fault.forbiddenAddress)
}
