import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { AlertGroupListOptions, AlertListOptions, ResultPage, Tenant } from '../../../ports/call-history'
import { alertKind, idRangeOf, timestampOf } from './time-ids'
import type { IndexScan, ScanClauses } from './index-scan'
import { createAlertGroupClause, createAlertHistoryReader, emptyHistory } from './alert-histories'
import type { PageReader } from './page-reader'
import { ownerFilter, toStoredRows, type StoredRow } from './stored-rows'

/** A group of alerts. The names of `count`, `first` and `accounts` are those of the API. */
export interface StoredAlertGroup {
  newestAlert: StoredRow
  count: number
  /** The time of the oldest alert. */
  first: string
  /** The number of accounts with such an alert. */
  accounts: number
  /** With `hasHistory`: see `alertHistory`. */
  history: number[] | undefined
}

/** The maximum number of groups in a list. The groups with the oldest alerts are left out. */
const maxGroups = 5000

interface AlertGroupRow {
  newestId: number
  oldestId: number
  alertCount: number | string
  accountCount: number | string
}

/** Fields that a text search covers, besides the alert type. */
const searchedFields = ['message', 'detail', 'vendor']

/**
 * Creates a reader of alerts, ungrouped and grouped. `getOldestAt` returns the start of the retention period, and `clock`
 * the current time.
 */
export const createSqlAlertReader = (
  database: Pick<Database, 'db' | 'engine'>,
  clauses: ScanClauses,
  pageReader: PageReader,
  { getOldestAt, clock }: { getOldestAt: () => number; clock: () => number },
) => {
  const { db } = database
  const { tableWithIndex, whereCondition, pointField } = clauses
  const buildTextCondition = (text: string) => {
    const lowerText = text.toLowerCase()
    const conditions = [sql`alert_type`, ...searchedFields.map(pointField)].map(
      (field) => sql`instr(lower(coalesce(${field}, '')), ${lowerText}) > 0`,
    )
    return sql`(${sql.join([...conditions, sql`${pointField('target_sid')} = ${text.trim()}`], sql` or `)})`
  }

  const buildAlertScan = (tenant: Tenant, options: AlertListOptions): IndexScan => {
    const { indexPrefix, ownerCondition, owner_sid, kindOffset } = ownerFilter(tenant)
    const { alert_type, text, message } = options
    return {
      table: 'trunkline_alerts',
      tenant,
      index: `${indexPrefix}_${alert_type === undefined ? 'idx' : 'type_idx'}`,
      ownerCondition,
      owner_sid,
      idRange: idRangeOf(options, getOldestAt()),
      conditions: [
        ...(alert_type === undefined ? [] : [sql`alert_type = ${alert_type}`]),
        ...(text ? [buildTextCondition(text)] : []),
        ...(message === undefined ? [] : [sql`${pointField('message')} = ${message}`]),
      ],
      kinds: [alertKind + kindOffset],
    }
  }

  const groupClause = createAlertGroupClause(pointField)
  const readHistories = createAlertHistoryReader(database, clauses, { buildAlertScan, clock })

  return {
    listAlerts(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<StoredRow>> {
      const scan = buildAlertScan(tenant, options)
      return scan.conditions.length === 0
        ? pageReader.readPageByHourCounts(scan, options)
        : pageReader.readPageByCounting(scan, options)
    },

    async listGroups(tenant: Tenant, options: AlertGroupListOptions): Promise<ResultPage<StoredAlertGroup>> {
      const scan = buildAlertScan(tenant, options)
      const { rows } = await sql<AlertGroupRow>`
        select max(id) as newestId, min(id) as oldestId, count(*) as alertCount,
          count(distinct account_sid) as accountCount
        from ${tableWithIndex(scan)} where ${whereCondition(scan)}
        ${groupClause(options)} order by 1 desc limit ${maxGroups}`.execute(db)
      const page = rows.slice((options.page - 1) * options.count, options.page * options.count)
      if (page.length === 0) return { total: rows.length, rows: [] }
      const newestIds = page.map(({ newestId }) => newestId)
      const histories = options.hasHistory ? await readHistories(tenant, options, newestIds) : undefined
      const { rows: alerts } = await sql<{ id: number; point: string }>`select id, point from trunkline_alerts
        where id in (${sql.join(newestIds)}) and ${scan.ownerCondition}`.execute(db)
      const alertById = new Map(toStoredRows(alerts).map((alert, index) => [alerts[index]!.id, alert]))
      return {
        total: rows.length,
        rows: page.flatMap(({ newestId, oldestId, alertCount, accountCount }) => {
          const newestAlert = alertById.get(newestId)
          // The alert was deleted after the groups were read.
          if (!newestAlert) return []
          return {
            newestAlert,
            count: Number(alertCount),
            first: new Date(timestampOf(oldestId)).toISOString(),
            accounts: Number(accountCount),
            // always set, because the alert may have a field of this name; a group without one is older than the history
            history: histories && (histories.get(newestId) ?? emptyHistory),
          }
        }),
      }
    },
  }
}
