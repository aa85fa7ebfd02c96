import type { Alert, AlertGroup, RecentCall } from '@trunkline/contract/shapes/recent-call'

/** The kind of a record, under the name by which voice servers write it: call records or alerts. */
export type Measurement = 'cdrs' | 'alerts'

/**
 * The tags of each kind of record: its owner and type. A field must not have the name of a tag, because InfluxDB would return
 * the field in place of the tag.
 */
export const tagNames: Record<Measurement, readonly string[]> = {
  cdrs: ['service_provider_sid', 'account_sid', 'host', 'trunk', 'direction', 'answered'],
  alerts: ['service_provider_sid', 'account_sid', 'alert_type', 'vendor'],
}

/** A record in the form in which its writer sends it. Tags name its owner and type, fields describe it. */
export interface Point {
  tags: Record<string, string>
  fields: Record<string, string | number | boolean>
  /** Nanoseconds since 1970. */
  timeNs: bigint
}

/**
 * The field with the time at which a call arrived, in microseconds since 1970, if it was written with the key of an account or
 * a provider. Records of the platform itself do not have this field, and no writer may send it.
 */
export const arrivalField = 'trunkline_arrival'

/** The owner of records: an account, or a provider with all its accounts. */
export type Tenant = { service_provider_sid: string } | { account_sid: string }

/** The page and time range of a list. `from` and `to` are in milliseconds since 1970, and both are included. */
export interface EventListOptions {
  page: number
  count: number
  from?: number
  to?: number
  /** Lists the oldest record first; otherwise the newest. */
  oldestFirst?: boolean
}

export interface CallListOptions extends EventListOptions {
  direction?: 'inbound' | 'outbound'
  /** False also matches calls whose writer did not report it. */
  answered?: boolean
  trunk?: string
  /** 0 matches calls without a status. */
  sip_status?: number
  application_sid?: string
  /** The phone number of the call: the one under which `countByNumber` counts it. */
  number?: string
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
  callCount: number
  /** Total duration in seconds. */
  totalSeconds: number
  /** The number of answered calls with a known answer time, and their total answer delay in milliseconds. */
  timedCallCount: number
  totalDelayMs: number
}

/** The number of calls of one trunk and hour that have the same outcome. */
export interface TrunkCount extends Pick<CallSum, 'hour' | 'answered' | 'sip_status' | 'callCount'> {
  trunk: string
}

/** What calls are grouped by. */
export type CallProperty = 'trunk' | 'account'

/** Aggregate of the calls of one trunk or account. */
export interface CallGroup {
  /** The name of the trunk, or the SID of the account. */
  value: string
  callCount: number
  answeredCount: number
}

/** The calls of a tenant: all of them, or those of a trunk or an application. */
export type CallSubject = { tenant: Tenant } & (
  | { trunk?: undefined; application_sid?: undefined }
  | { trunk: string; application_sid?: undefined }
  | { trunk?: undefined; application_sid: string }
)

/** The periods of a call activity: their starts, in milliseconds since 1970. */
export interface ActivityPeriods {
  /** Calls are counted from here on. */
  from: number
  /** The latest call is searched from here on; earlier than `from`. */
  latestFrom: number
}

/** How active a subject is. What would take the store too long is undefined, never 0 or null. */
export interface CallActivity {
  callCount: number | undefined
  /** Milliseconds since 1970; null if there is no call. */
  latestCallAt: number | null | undefined
}

/** The number of answered calls that a percentile of their delays considers. */
export const maxDelaySamples = 20_000

export interface AlertListOptions extends EventListOptions {
  alert_type?: string
  /** Part of the message, detail, type or vendor, ignoring case; or the complete SID of the alert's subject. */
  text?: string
  /** The complete message. */
  message?: string
}

export interface AlertGroupListOptions extends AlertListOptions {
  /** Also groups the alerts by account. */
  isByAccount?: boolean
  /** Also returns when the alerts were raised: `history`. */
  hasHistory?: boolean
}

/** The history of a group of alerts: one count for each of these intervals before the end of the period. */
export const alertHistory = { intervalMs: 6 * 3_600_000, intervalCount: 28 }

export interface ResultPage<Row> {
  total: number
  rows: Row[]
}

/** Too many records match for a store that has to read each of them to count them. */
export class TooManyRecordsError extends Error {
  override readonly name = 'TooManyRecordsError'
}

/**
 * The store rejected points because of their content, so sending them again would fail too. The message is for their writer.
 * The valid points of the same write are stored.
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
 * Whether these records of one call prove that the tenant owns the call. If the platform itself wrote any of them, only its
 * records count. Otherwise only the record counts that arrived first with an API key, so that later writers cannot claim the
 * call. If the counted records name several owners, only a tenant above all of them owns the call. That can happen because
 * records of older versions do not say whether they were written with an API key.
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
  listCalls(tenant: Tenant, options: CallListOptions): Promise<ResultPage<RecentCall>>
  /** Aggregates the calls that `listCalls` returns. The order is undefined, and an hour and outcome may occur more than once. */
  sumCalls(tenant: Tenant, options: CallFilter): Promise<CallSum[]>
  /**
   * Counts the same calls by trunk or account, in any order. Calls without a trunk or account may be missing, and so may those
   * of a trunk or account that the store does not know. Throws TooManyRecordsError if the store would have to read too many
   * calls one by one.
   */
  groupCalls(tenant: Tenant, filter: CallFilter, property: CallProperty): Promise<CallGroup[]>
  /**
   * Counts the outbound calls of each trunk and hour, from this hour on (hours since 1970). Trunks that the store does not know
   * may be missing. Throws TooManyRecordsError as `groupCalls` does.
   */
  countByTrunk(tenant: Tenant, firstHour: number): Promise<TrunkCount[]>
  /**
   * Counts the calls of each phone number since `from` (milliseconds since 1970), in the order of the numbers: inbound calls to
   * it and outbound calls from it. Case and a leading plus are ignored, and so are calls without a direction. Throws
   * TooManyRecordsError as `groupCalls` does.
   */
  countByNumber(tenant: Tenant, numbers: readonly string[], from: number): Promise<number[]>
  /**
   * Counts the calls of each subject and finds the latest one: for all subjects at once, because lists show these figures in
   * every row. The result has the order of the subjects.
   */
  listActivities(subjects: readonly CallSubject[], periods: ActivityPeriods): Promise<CallActivity[]>
  /**
   * The delay in milliseconds from attempt to answer that this percentage of answered calls does not exceed; null if no call was
   * answered. Of the calls that `listCalls` returns, only the newest are read: `maxDelaySamples`.
   */
  findDelayPercentile(tenant: Tenant, filter: CallFilter, percentile: number): Promise<number | null>
  listAlerts(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<Alert>>
  /** Groups the alerts that `listAlerts` returns. The group with the newest alert is first. */
  listAlertGroups(tenant: Tenant, options: AlertGroupListOptions): Promise<ResultPage<AlertGroup>>
  /** The newest call of a tenant with this identifier. */
  findCall(tenant: Tenant, identifier: CallIdentifier): Promise<RecentCall | undefined>
  /** Whether the tenant owns the call with this identifier. See `claimsProveOwner`. */
  isCallOwner(tenant: Tenant, identifier: CallIdentifier): Promise<boolean>
  /** Resolves once the points are durable. Points with the same tags and time are merged. Throws PointsRejectedError. */
  writePoints(measurement: Measurement, points: readonly Point[]): Promise<void>
  /** How many points wait to be stored. Absent if the store has no queue here. */
  getQueueSize?: () => number
  /** Prepares the store: creates what is missing, and indexes the records of an older version. May take minutes. */
  backfill(signal: AbortSignal): Promise<void>
  /** Deletes records that are older than their retention period. */
  prune(signal?: AbortSignal): Promise<void>
}
