import type { Alert, AlertGroup, RecentCall } from '@trunkline/contract/shapes/recent-call'

/** The kind of a record, under the name by which voice servers write it: call records or alerts. */
export type Measurement = 'cdrs' | 'alerts'

/** Tags name the owner of a record and its type. A field with such a name would hide the tag of that name in an InfluxDB. */
export const tagNames: Record<Measurement, readonly string[]> = {
  cdrs: ['service_provider_sid', 'account_sid', 'host', 'trunk', 'direction', 'answered'],
  alerts: ['service_provider_sid', 'account_sid', 'alert_type', 'vendor'],
}

/** One event as its writer reports it. Tags name its owner and type, fields describe it. */
export interface Point {
  tags: Record<string, string>
  fields: Record<string, string | number | boolean>
  /** Nanoseconds since 1970. */
  time: bigint
}

/**
 * The field with the time at which a call arrived, in microseconds since 1970, if it was written with the key of an account or
 * a provider. Records of the platform itself do not have this field, and no writer may send it.
 */
export const arrivalField = 'trunkline_arrival'

/** The owner of records: an account, or a provider with all its accounts. */
export type Tenant = { service_provider_sid: string } | { account_sid: string }

/** One page. Times are in milliseconds since 1970, both ends included. */
export interface TimedListOptions {
  page: number
  count: number
  from?: number
  to?: number
  /** Lists the oldest record first; otherwise the newest. */
  oldestFirst?: boolean
}

export interface CallListOptions extends TimedListOptions {
  direction?: 'inbound' | 'outbound'
  /** False also matches calls whose writer did not report it. */
  answered?: boolean
  trunk?: string
  /** 0 matches calls without a status. */
  sip_status?: number
  application_sid?: string
  /** Part of a number, the trunk or the termination reason, ignoring case; or the complete call SID or Call-ID. */
  text?: string
}

/** The filter alone, for aggregates over all matching calls. */
export type CallFilter = Omit<CallListOptions, 'page' | 'count' | 'oldestFirst'>

/** Aggregate of calls of one hour that have the same outcome. */
export interface CallSum {
  /** Hours since 1970. */
  hour: number
  answered: boolean
  /** 0 if not reported. */
  sip_status: number
  number: number
  /** Total duration in seconds. */
  seconds: number
  /** The number of answered calls with a known answer time, and their total answer delay in milliseconds. */
  timed: number
  delay: number
}

/** What calls are grouped by. */
export type CallProperty = 'trunk' | 'account'

/** Aggregate of the calls of one trunk or account. */
export interface CallGroup {
  /** The name of the trunk, or the SID of the account. */
  value: string
  number: number
  answered: number
}

export interface AlertListOptions extends TimedListOptions {
  alert_type?: string
  /** Part of the message, detail, type or vendor, ignoring case; or the complete SID of the alert's subject. */
  text?: string
  /** The complete message. */
  message?: string
}

export interface ResultPage<Row> {
  total: number
  rows: Row[]
}

/** More records match than a store without aggregates can add up. */
export class TooManyRecordsError extends Error {
  override readonly name = 'TooManyRecordsError'
}

/**
 * A store rejects points because of their content, and would reject them again. The message is for their writer; valid points
 * of the same write are stored.
 */
export class PointsRejectedError extends Error {
  override readonly name = 'PointsRejectedError'
}

/** An identifier by which a single call can be found. */
export type CallIdentifier = { call_sid: string } | { sip_callid: string } | { trace_id: string }

/** A record of a call, as evidence of the owner of the call. */
export interface OwnershipClaim {
  service_provider_sid: string | null
  account_sid: string | null
  /** Null for a record of the platform itself. */
  arrival: number | null
}

/** Compares SIDs without case, as the databases do. */
const belongsTo = (tenant: Tenant, { account_sid, service_provider_sid }: OwnershipClaim): boolean => {
  const [expectedSid, claimedSid] =
    'account_sid' in tenant ? [tenant.account_sid, account_sid] : [tenant.service_provider_sid, service_provider_sid]
  return claimedSid?.toLowerCase() === expectedSid.toLowerCase()
}

/**
 * Do these records of one call make a tenant its owner? Records of the platform decide; without any, the first record that
 * arrived from a key does. Later records of keys change nothing. If the platform names several owners, only a tenant above all
 * of them is an owner: records that an older version stored do not tell whether a key wrote them.
 */
export const claimsProveOwner = (claims: readonly OwnershipClaim[], tenant: Tenant): boolean => {
  const platformClaims = claims.filter(({ arrival }) => arrival === null)
  const firstArrival = Math.min(...claims.map(({ arrival }) => arrival ?? Infinity))
  const decisiveClaims =
    platformClaims.length > 0 ? platformClaims : claims.filter(({ arrival }) => arrival === firstArrival)
  return decisiveClaims.length > 0 && decisiveClaims.every((claim) => belongsTo(tenant, claim))
}

/** Stores finished calls and alerts. Methods throw UnavailableError if the store does not respond. */
export interface CallHistory {
  calls(tenant: Tenant, options: CallListOptions): Promise<ResultPage<RecentCall>>
  /** The calls that `calls` would list, aggregated: in any order, and the same hour and outcome possibly more than once. */
  sums(tenant: Tenant, options: CallFilter): Promise<CallSum[]>
  /**
   * The same calls by trunk or account, in any order. Calls without one may be missing, and those of a trunk or account that the
   * store does not know. Throws TooManyRecordsError if the filter requires reading too many calls one by one.
   */
  groups(tenant: Tenant, filter: CallFilter, property: CallProperty): Promise<CallGroup[]>
  alerts(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<Alert>>
  /** The alerts that `alerts` would list, in groups, newest alert first. */
  alertGroups(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<AlertGroup>>
  /** The newest call of a tenant with this identifier. */
  find(tenant: Tenant, identifier: CallIdentifier): Promise<RecentCall | undefined>
  /** Does the tenant own the call with this identifier? See `claimsProveOwner`. */
  isOwner(tenant: Tenant, identifier: CallIdentifier): Promise<boolean>
  /** Resolves once the points are durable. Points with the same tags and time are merged. Throws PointsRejectedError. */
  write(measurement: Measurement, points: readonly Point[]): Promise<void>
  /** Indexes the records of an older version; may take minutes. */
  backfill(signal: AbortSignal): Promise<void>
  /** Deletes records that are older than their retention period. */
  prune(signal?: AbortSignal): Promise<void>
}
