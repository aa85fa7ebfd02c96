import { tagNames, type Measurement } from '../../../ports/call-history'

/** How a column stores its values: `key` is a column of the sorting key, `name` a text with few different values. */
type ColumnType = 'key' | 'name' | 'text' | 'number' | 'timestamp'

/** A table with one row per record, after ClickHouse has merged the rows that were written for it. */
export interface RecordTable {
  name: string
  /** The column that distinguishes records of the same owner and time. */
  recordKey: string
  /** The types of all columns except the time, the record key and the map of other fields. */
  columns: Readonly<Record<string, ColumnType>>
}

const ownerColumns = { service_provider_sid: 'key', account_sid: 'key' } as const

/** Columns of owners are part of the sorting key, in which an empty text stands for a missing value. */
export const isOwnerColumn = (name: string): boolean => name in ownerColumns

const nameColumnsOf = (measurement: Measurement) =>
  Object.fromEntries(
    tagNames[measurement].filter((name) => !isOwnerColumn(name)).map((name) => [name, 'name' as const]),
  )

const textColumnsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'text' as const]))

export const recordTables: Record<Measurement, RecordTable> = {
  cdrs: {
    name: 'trunkline_calls',
    recordKey: 'call_key',
    columns: {
      ...ownerColumns,
      ...nameColumnsOf('cdrs'),
      ...textColumnsOf([
        ...['application_sid', 'call_sid', 'from', 'recording_url', 'remote_host', 'sip_callid'],
        ...['sip_parent_callid', 'to', 'trace_id'],
      ]),
      termination_reason: 'name',
      duration: 'number',
      sip_status: 'number',
      answered_at: 'timestamp',
      terminated_at: 'timestamp',
    },
  },
  alerts: {
    name: 'trunkline_alerts',
    recordKey: 'alert_key',
    columns: {
      ...ownerColumns,
      ...nameColumnsOf('alerts'),
      ...textColumnsOf(['detail', 'message', 'target_sid']),
    },
  },
}

/** One row per identifier and call, sorted by identifier: finds calls, and proves who owns them. */
export const identifierTable = 'trunkline_call_identifiers'

const nsPerDay = 86_400_000_000_000n
/** Records are stored in one partition per week, because retention periods drop whole partitions. */
export const nsPerPartition = 7n * nsPerDay

export const quoteName = (name: string) => `\`${name}\``

/** The columns of the sorting key, which identify a record. */
export const sortingKeyOf = ({ recordKey }: RecordTable) => `service_provider_sid, account_sid, time_ns, ${recordKey}`

/** The names of the columns that describe a record, in the order of `selectedColumnsOf`. */
export const selectedNamesOf = ({ columns }: RecordTable) => ['time_ns', ...Object.keys(columns), 'fields']
export const selectedColumnsOf = (table: RecordTable) => selectedNamesOf(table).map(quoteName).join(', ')

const sqlTypes: Record<ColumnType, string> = {
  key: 'LowCardinality(String)',
  name: 'SimpleAggregateFunction(anyLast, LowCardinality(Nullable(String)))',
  text: 'SimpleAggregateFunction(anyLast, Nullable(String)) codec(ZSTD(1))',
  number: 'SimpleAggregateFunction(anyLast, Nullable(Float64)) codec(ZSTD(1))',
  timestamp: 'SimpleAggregateFunction(anyLast, Nullable(Int64)) codec(Delta(8), ZSTD(1))',
}

/**
 * The column `arrival` is the time at which the first point with an identifier arrived with an API key, in microseconds since
 * 1970. It has these values for points of the platform, and for points without an identifier.
 */
export const platformArrival = '0'
export const unknownArrival = '18446744073709551615'

const tableSettings = [
  'index_granularity = 2048',
  // Written data is on the disk before a write is acknowledged.
  'fsync_after_insert = 1, fsync_part_directory = 1',
  // A week that gets no more records becomes one part, which `final` reads without merging.
  'min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1',
].join(', ')
const partitions = `partition by intDiv(time_ns, ${nsPerPartition})`
const readableTime = `attempted_at DateTime64(9, 'UTC') alias fromUnixTimestamp64Nano(time_ns, 'UTC')`

/**
 * Rows with the same sorting key are one record. ClickHouse merges them in the order of their arrival, as every read with
 * `final` does: the last value of each column that is not null counts, and of each other field the value with the greatest
 * prefix, which is the time of its arrival. So writers never read before they write.
 */
const createRecordTable = (database: string, table: RecordTable) => `
  create table if not exists ${database}.${table.name} (
    ${Object.entries(table.columns)
      .map(([name, type]) => `${quoteName(name)} ${sqlTypes[type]},`)
      .join('\n    ')}
    time_ns Int64 codec(Delta(8), ZSTD(1)),
    ${table.recordKey} UInt64 codec(NONE),
    arrival SimpleAggregateFunction(min, UInt64) codec(ZSTD(1)),
    fields SimpleAggregateFunction(maxMap, Map(String, String)) codec(ZSTD(1)),
    ${readableTime}
  ) engine = AggregatingMergeTree ${partitions} order by (${sortingKeyOf(table)})
  settings ${tableSettings}`

const createIdentifierTable = (database: string) => `
  create table if not exists ${database}.${identifierTable} (
    identifier UUID codec(NONE),
    service_provider_sid LowCardinality(String),
    account_sid LowCardinality(String),
    time_ns Int64 codec(ZSTD(1)),
    arrival SimpleAggregateFunction(min, UInt64) codec(ZSTD(1))
  ) engine = AggregatingMergeTree ${partitions} order by (identifier, service_provider_sid, account_sid, time_ns)
  settings ${tableSettings}`

/** The statements that create what is missing. */
export const buildSchema = (database: string): string[] => [
  `create database if not exists ${database}`,
  createRecordTable(database, recordTables.cdrs),
  createRecordTable(database, recordTables.alerts),
  createIdentifierTable(database),
]
