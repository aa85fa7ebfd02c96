import { sql } from 'kysely'
import { maxAlertGroups } from '@trunkline/contract/resources/alert'
import type { Database } from '../../../db/database'
import type { AlertGroupListOptions, AlertListOptions, ResultPage, Tenant } from '../../../ports/call-history'
import { idRangeOf, timestampOf } from './time-ids'
import type { IndexScan, ScanClauses } from './index-scan'
import { createAlertScanBuilder } from './alert-scan'
import {
  createAlertGroupClause,
  createAlertHistoryReader,
  emptyHistory,
  getIntervals,
  type AlertHistoryOptions,
} from './alert-histories'
import type { AlertGroupRow, GroupedAlertReader, GroupFields } from './grouped-alerts'
import type { PageReader } from './page-reader'
import { createSlicedPageReader } from './sliced-pages'
import { toStoredRows, type StoredRow } from './stored-rows'

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

/** The group that a filter selects; undefined if it selects more or fewer alerts than one group has. */
const getGroupFields = ({ alert_type, message, text }: AlertListOptions): GroupFields | undefined =>
  alert_type === undefined || message === undefined || text ? undefined : { alert_type, message }

/** Creates a reader of groups that reads each alert of the period, because its text or its message alone is in no index. */
const createGroupScanReader = (
  database: Pick<Database, 'db' | 'engine'>,
  clauses: ScanClauses,
  historyOptions: AlertHistoryOptions,
) => {
  const { tableWithIndex, whereCondition } = clauses
  const groupClause = createAlertGroupClause(clauses)
  const readHistories = createAlertHistoryReader(database, clauses, historyOptions)

  return async (scan: IndexScan, options: AlertGroupListOptions): Promise<ResultPage<AlertGroupRow>> => {
    const { rows } = await sql<AlertGroupRow>`
      select max(id) as newestId, min(id) as oldestId, count(*) as alertCount,
        count(distinct account_sid) as accountCount
      from ${tableWithIndex(scan)} where ${whereCondition(scan)}
      ${groupClause(options)} order by 1 desc limit ${maxAlertGroups}`.execute(database.db)
    const page = rows.slice((options.page - 1) * options.count, options.page * options.count)
    if (!options.hasHistory || page.length === 0) return { total: rows.length, rows: page }
    const newestIds = page.map(({ newestId }) => newestId)
    const histories = await readHistories(scan.tenant, options, newestIds)
    return {
      total: rows.length,
      // a group without a history is older than it
      rows: page.map((row) => ({ ...row, history: histories.get(row.newestId) ?? emptyHistory })),
    }
  }
}

interface AlertReaderOptions {
  database: Pick<Database, 'db' | 'engine'>
  clauses: ScanClauses
  pageReader: PageReader
  groupedAlerts: GroupedAlertReader
  /** Are all alerts in `trunkline_grouped_alerts`? */
  isIndexed: () => Promise<boolean>
  /** Returns the start of the retention period. */
  getOldestAt: () => number
  /** Returns the current time. */
  clock: () => number
}

/** Creates a reader of alerts, ungrouped and grouped. */
export const createSqlAlertReader = ({
  database,
  clauses,
  pageReader,
  groupedAlerts,
  isIndexed,
  getOldestAt,
  clock,
}: AlertReaderOptions) => {
  const { db, engine } = database
  const { buildAlertScan, buildTextCondition } = createAlertScanBuilder(clauses, getOldestAt)
  const readPageBySlices = createSlicedPageReader(database, clauses, pageReader)
  const readGroupsOfScan = createGroupScanReader(database, clauses, { buildAlertScan, clock })

  const readGroupPage = async (scan: IndexScan, options: AlertGroupListOptions) => {
    const { alert_type, message, text, isByAccount, hasHistory } = options
    const groupFields = getGroupFields(options)
    const isGroupedByIndex = isByAccount ? groupFields && !hasHistory : message === undefined && !text
    if (!isGroupedByIndex || !(await isIndexed())) return readGroupsOfScan(scan, options)
    if (isByAccount && groupFields) return groupedAlerts.readAccountPage(scan, groupFields, options)
    const endAt = options.to ?? clock()
    return groupedAlerts.readGroupPage(scan, {
      ...options,
      alert_type,
      historyEndAt: hasHistory ? endAt : undefined,
      historyRange: idRangeOf({ ...options, from: getIntervals(endAt).startAt }, getOldestAt()),
    })
  }

  return {
    async listAlerts(tenant: Tenant, options: AlertListOptions): Promise<ResultPage<StoredRow>> {
      const scan = buildAlertScan(tenant, options)
      if (scan.conditions.length === 0) return pageReader.readPageByHourCounts(scan, options)
      if (options.text && engine === 'sqlite') {
        const { text, ...otherOptions } = options
        return readPageBySlices(buildAlertScan(tenant, otherOptions), buildTextCondition(text), options)
      }
      const groupFields = getGroupFields(options)
      if (!groupFields || !(await isIndexed())) return pageReader.readPageByCounting(scan, options)
      const { total, ids } = await groupedAlerts.listIds(scan, groupFields, options)
      return { total, rows: await pageReader.readByIds(scan, ids) }
    },

    async listGroups(tenant: Tenant, options: AlertGroupListOptions): Promise<ResultPage<StoredAlertGroup>> {
      const scan = buildAlertScan(tenant, options)
      const { total, rows } = await readGroupPage(scan, options)
      if (rows.length === 0) return { total, rows: [] }
      const { rows: alerts } = await sql<{ id: number; point: string }>`select id, point from trunkline_alerts
        where id in (${sql.join(rows.map(({ newestId }) => newestId))}) and ${scan.ownerCondition}`.execute(db)
      const alertById = new Map(toStoredRows(alerts).map((alert, index) => [alerts[index]!.id, alert]))
      return {
        total,
        rows: rows.flatMap(({ newestId, oldestId, alertCount, accountCount, history }) => {
          const newestAlert = alertById.get(newestId)
          // The alert was deleted after the groups were read.
          if (!newestAlert) return []
          return {
            newestAlert,
            count: Number(alertCount),
            first: new Date(timestampOf(oldestId)).toISOString(),
            accounts: Number(accountCount),
            // always set, because the alert may have a field of this name
            history,
          }
        }),
      }
    },
  }
}
