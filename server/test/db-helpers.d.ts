/** Types for the parts of the library that our tests use. */
declare module '@jambonz/db-helpers' {
  import type { Pool } from 'mysql2'

  type Row = Record<string, unknown>
  type LookupRow = (...keys: string[]) => Promise<Row | null>
  type LookupRows = (...keys: string[]) => Promise<Row[]>

  export interface DbHelpers {
    pool: Pool
    lookupAccountBySid: LookupRow
    lookupAccountBySipRealm: LookupRow
    lookupAccountByPhoneNumber: LookupRow
    lookupAuthHook: LookupRow
    lookupAppBySid: LookupRow
    lookupAppByPhoneNumber: LookupRow
    lookupAppByRealm: LookupRow
    lookupAppByTeamsTenant: LookupRow
    lookupTeamsByAccount: LookupRow
    lookupAllVoipCarriers: LookupRows
    lookupCarrierBySid: LookupRow
    lookupCarrierByAccountLcr: (account_sid: string, number: string) => Promise<string | null>
    lookupOutboundCarrierForAccount: (account_sid: string) => Promise<string | null>
    lookupAuthCarriersForAccountAndSP: LookupRows
    lookupLcrByAccount: LookupRows
    lookupSipGatewayBySid: LookupRow
    lookupSipGatewaysByCarrier: LookupRows
    lookupSipGatewayBySignalingAddress: (ipv4: string, port: number) => Promise<Row | null>
    lookupClientByAccountAndUsername: LookupRows
    lookupSystemInformation: () => Promise<Row | null>
    queryCallLimits: (service_provider_sid: string, account_sid: string) => Promise<Row>
  }
  export default function dbHelpers(options: object): DbHelpers
}
