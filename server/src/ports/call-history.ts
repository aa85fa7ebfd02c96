import type { Alert, AlertGroup, RecentCall } from '@trunkline/contract/shapes/recent-call'

/** What is kept: call records or alerts, under the names by which voice servers write them. */
export type Kept = 'cdrs' | 'alerts'

/** What says whose a record is and of what sort. As a field such a name would hide everybody's tag of that name in an InfluxDB. */
export const tagNames: Record<Kept, readonly string[]> = {
  cdrs: ['service_provider_sid', 'account_sid', 'host', 'trunk', 'direction', 'answered'],
  alerts: ['service_provider_sid', 'account_sid', 'alert_type', 'vendor'],
}

/** One thing that happened, in the words of its writer. Tags say whose it is and of what sort, fields what it was. */
export interface Point {
  tags: Record<string, string>
  fields: Record<string, string | number | boolean>
  /** Nanoseconds since 1970. */
  time: bigint
}

/**
 * Of a call that was written with the key of an account or a provider: when it arrived, in microseconds since 1970. Records of the
 * platform itself do not have this field, and no writer may send it.
 */
export const arrivalField = 'trunkline_arrival'

/** Whose records: a provider's own and those of all its accounts, or one account's. */
export type Tenant = { service_provider_sid: string } | { account_sid: string }

/** One page. Times are milliseconds since 1970 and count themselves. */
export interface TimedLook {
  page: number
  count: number
  from?: number
  to?: number
  /** Lists the oldest record first; otherwise the newest. */
  oldestFirst?: boolean
}

export interface CallLook extends TimedLook {
  direction?: 'inbound' | 'outbound'
  /** Not answered are also those of which it was not said. */
  answered?: boolean
  trunk?: string
  /** 0: of those of which it was not said. */
  sip_status?: number
  application_sid?: string
  /** Contained in a number, the trunk or the termination reason, in either case; or the whole call SID or Call-ID. */
  text?: string
}

/** A look at all of its calls at once. */
export type CallSift = Omit<CallLook, 'page' | 'count' | 'oldestFirst'>

/** Calls of one hour that have the same outcome, added up. */
export interface CallSum {
  /** Hours since 1970. */
  hour: number
  answered: boolean
  /** 0 where nobody said. */
  sip_status: number
  number: number
  /** How long they lasted together, in seconds. */
  seconds: number
  /** How many of them were answered at a time that is known, and how long that took together, in milliseconds. */
  timed: number
  delay: number
}

export interface AlertLook extends TimedLook {
  alert_type?: string
  /** Contained in the message, detail, type or vendor, in either case; or the whole SID of what the alert is about. */
  text?: string
  /** The whole message. */
  message?: string
}

export interface Found<Row> {
  total: number
  rows: Row[]
}

/** There are more calls than a store can add up that keeps no sums. */
export class TooMany extends Error {
  override readonly name = 'TooMany'
}

/** A store refuses points for what they say, and would every time. The message is for their writer; the points beside them are kept. */
export class NotKept extends Error {
  override readonly name = 'NotKept'
}

/** What a call can be found by, besides the list. */
export type CallName = { call_sid: string } | { sip_callid: string } | { trace_id: string }

/** A record of a call, as evidence of the owner of the call. */
export interface Claim {
  service_provider_sid: string | null
  account_sid: string | null
  /** Null: a record of the platform itself. */
  arrival: number | null
}

/** A tenant's sid in a claim. Case does not count, as it does not in the databases. */
const belongsTo = (of: Tenant, { account_sid, service_provider_sid }: Claim): boolean => {
  const [wanted, given] =
    'account_sid' in of ? [of.account_sid, account_sid] : [of.service_provider_sid, service_provider_sid]
  return given?.toLowerCase() === wanted.toLowerCase()
}

/**
 * Do these records of one call make a tenant its owner? Records of the platform decide; where there are none, the record of a key
 * that arrived first. Later records of keys change nothing. Where the platform names several owners, only a tenant above all of
 * them is one: records that an older version kept do not say that a key wrote them.
 */
export const areOwned = (claims: readonly Claim[], of: Tenant): boolean => {
  const byPlatform = claims.filter(({ arrival }) => arrival === null)
  const first = Math.min(...claims.map(({ arrival }) => arrival ?? Infinity))
  const deciding = byPlatform.length > 0 ? byPlatform : claims.filter(({ arrival }) => arrival === first)
  return deciding.length > 0 && deciding.every((claim) => belongsTo(of, claim))
}

/** Where calls that have ended and alerts are kept. What does not answer is Unavailable. */
export interface CallHistory {
  calls(of: Tenant, look: CallLook): Promise<Found<RecentCall>>
  /** What `calls` would find, added up; in any order, and the same hour and outcome perhaps more than once. */
  sums(of: Tenant, look: CallSift): Promise<CallSum[]>
  alerts(of: Tenant, look: AlertLook): Promise<Found<Alert>>
  /** What `alerts` would find, in groups, the one with the newest alert first. */
  alertGroups(of: Tenant, look: AlertLook): Promise<Found<AlertGroup>>
  /** The newest call of a tenant that has this name. */
  find(of: Tenant, by: CallName): Promise<RecentCall | undefined>
  /** Does what belongs to a call of this name belong to this tenant? As `areOwned` decides. */
  isOwner(of: Tenant, by: CallName): Promise<boolean>
  /** Keeps points; when it resolves they outlive this process. A point written twice is one, with the fields of both. Throws NotKept. */
  write(kept: Kept, points: readonly Point[]): Promise<void>
  /** Makes what an older version of this server kept as quick to find as what this one keeps; may take minutes. */
  catchUp(stopped: AbortSignal): Promise<void>
  /** Lets go of what is older than it is to be kept. */
  prune(stopped?: AbortSignal): Promise<void>
}
