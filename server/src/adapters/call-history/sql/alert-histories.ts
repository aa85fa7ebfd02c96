import { sql } from 'kysely'
import type { Database, DatabaseEngine } from '../../../db/database'
import {
  alertHistory,
  type AlertGroupListOptions,
  type AlertListOptions,
  type Tenant,
} from '../../../ports/call-history'
import type { IndexScan, ScanClauses } from './index-scan'
import { firstIdAt, idsPerMs } from './time-ids'

/** The history of a group without alerts in its intervals. */
export const emptyHistory = Array.from({ length: alertHistory.intervalCount }, () => 0)

/** The first id of the first interval of a history that ends at `endAt`, and the number of ids in each interval. */
export const getIntervals = (endAt: number) => {
  const { intervalMs, intervalCount } = alertHistory
  const startAt = endAt - intervalCount * intervalMs
  return { startAt, firstId: firstIdAt(startAt), idCount: intervalMs * idsPerMs }
}

/** The number of the interval of an alert, as SQL. */
export const intervalIndexOf = (engine: DatabaseEngine, firstId: number, idCount: number) => {
  const [first, count] = [sql.lit(firstId), sql.lit(idCount)]
  return engine === 'sqlite' ? sql`(id - ${first}) / ${count}` : sql`(id - ${first}) div ${count}`
}

/** The newest alert of a group, and the counts of its history as `n0`, `n1` and so on. */
type HistoryRow = Record<string, number | string>

/**
 * The columns `n0`, `n1` and so on: the number of alerts per interval. An alert of a voice server whose clock is ahead
 * belongs to the last interval.
 */
const sumIntervals = sql.join(
  emptyHistory.map((_, index) => {
    const operator = sql.raw(index === emptyHistory.length - 1 ? '>=' : '=')
    return sql`sum(case when intervalIndex ${operator} ${sql.lit(index)} then alertCount else 0 end) as ${sql.ref(`n${index}`)}`
  }),
)

/** Alerts of the same type with the same message form a group, also per account if that is requested. */
export const createAlertGroupClause =
  ({ pointField }: Pick<ScanClauses, 'pointField'>) =>
  ({ isByAccount }: AlertGroupListOptions) =>
    sql`group by alert_type, ${pointField('message')}${isByAccount ? sql`, account_sid` : sql``}`

export interface AlertHistoryOptions {
  buildAlertScan: (tenant: Tenant, options: AlertListOptions) => IndexScan
  /** Returns the current time. */
  clock: () => number
}

/**
 * Creates a function that reads the histories of groups by the id of their newest alert, which is at most the first of
 * `newestIds`. It counts per interval first, because a sum per interval for each alert took twice as long.
 */
export const createAlertHistoryReader = (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { tableWithIndex, whereCondition, pointField }: ScanClauses,
  { buildAlertScan, clock }: AlertHistoryOptions,
) => {
  const groupClause = createAlertGroupClause({ pointField })

  return async (tenant: Tenant, options: AlertGroupListOptions, newestIds: readonly number[]) => {
    const accountColumn = options.isByAccount ? sql`, account_sid` : sql``
    const { startAt, firstId, idCount } = getIntervals(options.to ?? clock())
    const weekScan = buildAlertScan(tenant, { ...options, from: startAt })
    const scan = { ...weekScan, idRange: { ...weekScan.idRange, high: newestIds[0]! } }
    const { rows } = await sql<HistoryRow>`
      select max(newestId) as newestId, ${sumIntervals} from (
        select alert_type, ${pointField('message')} as message${accountColumn}, max(id) as newestId,
          ${intervalIndexOf(engine, firstId, idCount)} as intervalIndex, count(*) as alertCount
        from ${tableWithIndex(scan)} where ${whereCondition(scan)}
        ${groupClause(options)}, intervalIndex) as intervals
      group by alert_type, message${accountColumn}
      having max(newestId) in (${sql.join(newestIds)})`.execute(db)
    return new Map(rows.map((row) => [Number(row.newestId), emptyHistory.map((_, index) => Number(row[`n${index}`]))]))
  }
}
