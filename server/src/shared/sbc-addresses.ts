import { isIPv4 } from 'node:net'
import type { Connection } from '../db/repository-options'

/** The addresses of the provider's SBCs or, without any, those of the platform. */
export const readSbcAddresses = async (db: Connection, service_provider_sid: string): Promise<string[]> => {
  const rows = await db.selectFrom('sbc_addresses').select(['ipv4', 'service_provider_sid']).execute()
  const providerRows = rows.filter((row) => row.service_provider_sid === service_provider_sid)
  const usedRows = providerRows.length > 0 ? providerRows : rows.filter((row) => row.service_provider_sid === null)
  // An SBC may have a host name, to which no A record can point.
  return [...new Set(usedRows.map(({ ipv4 }) => ipv4).filter(isIPv4))].sort()
}
