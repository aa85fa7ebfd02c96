import { bigint, char, flag, int, mediumtext, oneOf, sid, table, varbinary, varchar } from '../columns'

/** How many bytes of both numbers are searched for a text. */
export const SEARCHED_BYTES = 512

/** What a list of calls is filtered by, and what an overview of it adds up. */
const filteredColumns = ['direction', 'answered', 'sip_status', 'seconds', 'delay']

/**
 * Calls that have ended. The key is the time: milliseconds since 1970 times 1024, and a free number below that, so that
 * every index that ends with the key is in the order of time. What a list filters by stands beside it in the index; all
 * that the writer said is the text `point`.
 */
export const trunklineCalls = table(
  'trunkline_calls',
  {
    id: bigint().primary(),
    /** What makes two points the same one, as their time and a digest: new ones stand together at the end of the index. */
    mark: char(22).unique(),
    service_provider_sid: sid().nullable(),
    account_sid: sid().nullable(),
    direction: oneOf('inbound', 'outbound').nullable(),
    answered: flag().nullable(),
    trunk: varchar(255).nullable(),
    /** How the call's SIP dialogue was answered; 0 where nobody said. */
    sip_status: int(),
    /** How long it lasted, in seconds. */
    seconds: int(),
    /** From the attempt to the answer, in milliseconds. */
    delay: int().nullable(),
    /** The names of a call as numbers: an index of the names themselves, which are chance, would be too large to write quickly. */
    call_sid_digest: bigint().nullable(),
    sip_callid_digest: bigint().nullable(),
    trace_id_digest: bigint().nullable(),
    /** Both numbers in small letters, one a line: bytes, because comparing them by a language's rules takes ten times as long. */
    numbers: varbinary(SEARCHED_BYTES),
    point: mediumtext(),
  },
  {
    indexes: {
      provider_idx: ['service_provider_sid', 'id', ...filteredColumns, 'numbers'],
      account_idx: ['account_sid', 'id', ...filteredColumns, 'numbers'],
      provider_trunk_idx: ['service_provider_sid', 'trunk', 'id', ...filteredColumns],
      account_trunk_idx: ['account_sid', 'trunk', 'id', ...filteredColumns],
      call_sid_idx: ['call_sid_digest'],
      sip_callid_idx: ['sip_callid_digest'],
      trace_id_idx: ['trace_id_digest'],
    },
  },
)

export const trunklineAlerts = table(
  'trunkline_alerts',
  {
    id: bigint().primary(),
    mark: char(22).unique(),
    service_provider_sid: sid().nullable(),
    account_sid: sid().nullable(),
    alert_type: varchar(255).nullable(),
    point: mediumtext(),
  },
  {
    indexes: {
      provider_idx: ['service_provider_sid', 'id'],
      account_idx: ['account_sid', 'id'],
      provider_type_idx: ['service_provider_sid', 'alert_type', 'id'],
      account_type_idx: ['account_sid', 'alert_type', 'id'],
    },
  },
)

/**
 * How many there are of an owner in each hour, by kind, and what an overview says of them: counting a million rows anew
 * for each page would be slow.
 */
export const trunklineHourCounts = table('trunkline_hour_counts', {
  /** An account's or a provider's. */
  owner_sid: sid().primary(),
  /** Hours since 1970. */
  hour: int().primary(),
  /** Calls: their direction and whether they were answered; alerts: one number. */
  kind: int().primary(),
  /** Calls alone; 0 where nobody said. */
  sip_status: int().primary(),
  number: bigint(),
  /** How long they lasted together, in seconds. */
  seconds: bigint(),
  /** How many of them were answered at a time that is known, and how long that took together, in milliseconds. */
  timed: bigint(),
  delay: bigint(),
})
