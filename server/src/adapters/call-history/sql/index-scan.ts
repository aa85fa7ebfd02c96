import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../../db/database'
import type { Measurement, Tenant } from '../../../ports/call-history'
import type { HourRange, IdRange } from './time-ids'

export type CallTable = 'trunkline_calls' | 'trunkline_alerts'

export const tablesByMeasurement: Record<Measurement, CallTable> = {
  cdrs: 'trunkline_calls',
  alerts: 'trunkline_alerts',
}

/** A scan of one index in order of time. */
export interface IndexScan {
  table: CallTable
  /** The name of the index; in SQLite it follows the name of its table. */
  index: string
  ownerCondition: RawBuilder<unknown>
  tenant: Tenant
  /** The owner under which `trunkline_hour_counts` counts the rows: the tenant, or a trunk of it. */
  owner_sid: string
  idRange: IdRange
  /** Conditions besides the owner and the range. */
  conditions: RawBuilder<unknown>[]
  /** The kinds (see `toCallKind`) and SIP status under which `trunkline_hour_counts` counts the matching rows. */
  kinds: number[]
  sip_status?: number | undefined
}

/** Builds the FROM and WHERE clauses that select the hour counts of the matching rows. */
export const buildHourCountClauses = (
  { owner_sid, kinds, sip_status }: Pick<IndexScan, 'owner_sid' | 'kinds' | 'sip_status'>,
  { firstHour, endHour }: HourRange,
) =>
  sql`from trunkline_hour_counts where owner_sid = ${owner_sid} and hour >= ${firstHour} and hour < ${endHour}
    and kind in (${sql.join(kinds)}) ${sip_status === undefined ? sql`` : sql`and sip_status = ${sip_status}`}`

/** Creates the builders of a scan's SQL clauses for an engine. */
export const createScanClauses = ({ engine }: Pick<Database, 'engine'>) => {
  const tableWithIndex = ({ table, index }: IndexScan) =>
    engine === 'sqlite'
      ? sql`${sql.table(table)} indexed by ${sql.ref(`${table}_${index}`)}`
      : sql`${sql.table(table)} force index (${sql.ref(index)})`

  const whereCondition = ({ ownerCondition, idRange: { low, high }, conditions }: IndexScan) =>
    sql.join([ownerCondition, sql`id between ${low} and ${high}`, ...conditions], sql` and `)

  return {
    tableWithIndex,
    whereCondition,
    /** A subquery that counts the matching rows. */
    countQuery: (scan: IndexScan) => sql`(select count(*) from ${tableWithIndex(scan)} where ${whereCondition(scan)})`,
    /** A field of the stored point, as SQL text. */
    pointField: (name: string) => {
      const value = sql`json_extract(point, ${`$.${name}`})`
      return engine === 'sqlite' ? value : sql`json_unquote(${value})`
    },
  }
}

export type ScanClauses = ReturnType<typeof createScanClauses>
