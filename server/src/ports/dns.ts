/** The DNS records of a SIP realm: one A record per address, and one SRV record for SIP over UDP. */
export interface RealmRecords {
  /** Such as `acme.sip.example.com`. */
  realm: string
  /** IPv4 addresses of the SBCs. */
  addresses: readonly string[]
}

export interface DnsRecord {
  id: number
  type: string
}

/** The domain already has one of the records to create. Nothing was created. */
export class RecordExistsError extends Error {
  override readonly name = 'RecordExistsError'
}

/**
 * A DNS provider in which the domain of the SIP realms is managed. Every function throws UnavailableError if the provider
 * does not respond, or refuses.
 */
export interface Dns {
  /** Throws RecordExistsError if the domain has one of the records. */
  createRealm(records: RealmRecords): Promise<DnsRecord[]>
  /** Deletes records of a realm by their IDs. Records that do not exist are ignored. */
  deleteRecords(realm: string, ids: readonly number[]): Promise<void>
  /** All records that the domain has for the names of a realm, also those of other programs. */
  listRealm(realm: string): Promise<DnsRecord[]>
}
