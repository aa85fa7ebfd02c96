import { bigint, char, flag, int, mediumtext, oneOf, sid, table, varbinary, varchar } from '../columns'
import type { MigrationContext } from '../migration-context'

/** How many bytes of both numbers a text search covers. */
export const searchedBytes = 512

/** The columns that call lists filter by and the overview sums up. */
const filteredColumns = ['direction', 'answered', 'sip_status', 'seconds', 'delay']

/**
 * Finished calls. The key is the time: milliseconds since 1970 times 1024, plus a number that makes it unique. So every index
 * that contains the key is sorted by time. The indexes include the filtered columns. `point` is the complete record as JSON.
 */
export const trunklineCalls = table(
  'trunkline_calls',
  {
    id: bigint().primary(),
    /** The dedupe key: the time and a digest. Starting with the time, new entries are at the end of the index. */
    mark: char(22).unique(),
    service_provider_sid: sid().nullable(),
    account_sid: sid().nullable(),
    direction: oneOf('inbound', 'outbound').nullable(),
    answered: flag().nullable(),
    trunk: varchar(255).nullable(),
    /** The final SIP status; 0 if unknown. */
    sip_status: int(),
    /** The duration of the call. */
    seconds: int(),
    /** From the attempt to the answer, in milliseconds. */
    delay: int().nullable(),
    /** Digests of the call's identifiers. An index of the random identifiers themselves would be too large to write quickly. */
    call_sid_digest: bigint().nullable(),
    sip_callid_digest: bigint().nullable(),
    trace_id_digest: bigint().nullable(),
    /** Both numbers in lower case, one per line. Bytes, because comparing with a collation takes ten times as long. */
    numbers: varbinary(searchedBytes),
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
 * The number and the sums of an owner's calls or alerts per hour, because counting a million rows for each page would be slow.
 */
export const trunklineHourCounts = table('trunkline_hour_counts', {
  /** An account or a provider. */
  owner_sid: sid().primary(),
  /** Hours since 1970. */
  hour: int().primary(),
  /** Of calls: direction and whether answered, as a number. Of alerts: always the same number. */
  kind: int().primary(),
  /** Of calls; 0 if unknown. */
  sip_status: int().primary(),
  number: bigint(),
  /** The sum of their durations. */
  seconds: bigint(),
  /** The number of calls with a known answer time, and the sum of their delays in milliseconds. */
  timed: bigint(),
  delay: bigint(),
})

export const createdTables = [trunklineCalls, trunklineAlerts, trunklineHourCounts]

export const up = ({ createTables }: MigrationContext): Promise<void> => createTables(createdTables)
