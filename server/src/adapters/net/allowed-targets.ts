import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address that this server must not be used to reach. */
export class RefusedTarget extends Error {
  /** Survives HTTP clients that wrap errors. */
  readonly code = 'REFUSED_TARGET'
}

/** Networks of one's own; an installation may allow them. What serves a machine's metadata is never among them. */
const ownNetworks: ReadonlySet<string> = new Set(['private', 'loopback', 'uniqueLocal', 'carrierGradeNat'])

/** Looks like any public address, and answers the machines of one cloud about themselves. */
const metadata: ReadonlySet<string> = new Set(['168.63.129.16', '100.100.100.200', 'fd00:ec2::254'])

/** May this server connect to an address? To public ones, and to those of one's own networks when that is allowed. */
export const permits =
  (privateTargets: boolean) =>
  (address: string): boolean => {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    if (metadata.has(parsed.toString())) return false
    const range = parsed.range()
    return range === 'unicast' || (privateTargets && ownNetworks.has(range))
  }

/**
 * Finds the addresses of a host and gives only those that are permitted. The connection is made to what is found here,
 * so a name that leads elsewhere a moment later leads nowhere.
 */
export const guardedLookup =
  (permitted: (address: string) => boolean): LookupFunction =>
  (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const allowed = found.filter(({ address }) => permitted(address))
      const [first] = allowed
      if (!first) return done(new RefusedTarget(), '')
      if (options.all) done(null, allowed)
      else done(null, first.address, first.family)
    })
  }
