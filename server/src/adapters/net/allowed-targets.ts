import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A request to an address to which this server must not connect. */
export class RefusedTargetError extends Error {
  /** Identifies the error even if an HTTP client wraps it. */
  readonly code = 'REFUSED_TARGET'
}

/** Address ranges of private networks. An installation may allow them, but never cloud metadata services. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** Cloud metadata services with addresses that look public. */
const metadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254'])

/** Creates a check of IP addresses: may this server connect to an address? Public addresses are allowed, private ones if configured. */
export const createAddressCheck =
  (allowPrivateTargets: boolean) =>
  (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsedAddress = ipaddr.process(address)
    if (metadataAddresses.has(parsedAddress.toString())) return false
    const range = parsedAddress.range()
    return range === 'unicast' || (allowPrivateTargets && privateRanges.has(range))
  }

/**
 * Creates a DNS lookup that resolves a host to its allowed addresses only. The connection uses the result, so DNS rebinding cannot
 * redirect it.
 */
export const createGuardedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const allowedResults = addresses.filter(({ address }) => isAllowed(address))
      const [firstResult] = allowedResults
      if (!firstResult) return callback(new RefusedTargetError(), '')
      if (options.all) callback(null, allowedResults)
      else callback(null, firstResult.address, firstResult.family)
    })
  }
