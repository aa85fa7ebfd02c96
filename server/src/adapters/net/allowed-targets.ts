import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address to which this server must not connect. */
export class RefusedTargetError extends Error {
  /** Survives HTTP clients that wrap errors. */
  readonly code = 'REFUSED_TARGET'
}

/** Address ranges of private networks. An installation may allow them, but never cloud metadata services. */
const privateRanges: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** Cloud metadata services with addresses that look public. */
const metadataAddresses: ReadonlySet<string> = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254'])

/** Is this server allowed to connect to an address? Public addresses are allowed, private ones if configured. */
export const allowedAddresses =
  (privateTargets: boolean) =>
  (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    if (metadataAddresses.has(parsed.toString())) return false
    const range = parsed.range()
    return range === 'unicast' || (privateTargets && privateRanges.has(range))
  }

/** Resolves a host to its allowed addresses only. The connection uses the result, so DNS rebinding cannot redirect it. */
export const guardedLookup =
  (isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '')
      const allowedResults = addresses.filter(({ address }) => isAllowed(address))
      const [first] = allowedResults
      if (!first) return callback(new RefusedTargetError(), '')
      if (options.all) callback(null, allowedResults)
      else callback(null, first.address, first.family)
    })
  }
