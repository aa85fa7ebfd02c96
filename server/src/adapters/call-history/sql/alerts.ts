import { sql } from 'kysely'
import type { Database } from '../../../db/database'
import type { AlertGroupListOptions, AlertListOptions, ResultPage, Tenant } from '../../../ports/call-history'
import { idRangeOf, timestampOf } from './time-ids'
import type { ScanClauses } from './index-scan'
import { createAlertScanBuilder } from './alert-scan'
import { createAlertGroupSearch } from './alert-group-search'
import { getIntervals } from './alert-histories'
import type { AlertGroupRow, GroupedAlertReader, GroupFields } from './grouped-alerts'
import type { PageReader } from './page-reader'
import { createScanSlicer } from './scan-slices'
import { createSlicedPageReader } from './sliced-pages'
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

/** The group that a filter selects; undefined if it selects more or fewer alerts than one group has. */
const getGroupFields = ({ alert_type, message, text }: AlertListOptions): GroupFields | undefined =>
  alert_type === undefined || message === undefined || text ? undefined : { alert_type, message }

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
  const scanBuilder = createAlertScanBuilder(clauses, getOldestAt)
  const { buildIndexScan, buildContentConditions } = scanBuilder
  const sliceScan = createScanSlicer(database, clauses)
  const readPageBySlices = createSlicedPageReader(database, clauses, sliceScan, pageReader)
  const searchGroups = createAlertGroupSearch(database, clauses, { scanBuilder, sliceScan, clock })

  const readGroupPage = async (tenant: Tenant, options: AlertGroupListOptions): Promise<ResultPage<AlertGroupRow>> => {
    const { alert_type, message, text, isByAccount, hasHistory } = options
    const groupFields = getGroupFields(options)
    const isGroupedByIndex = isByAccount ? groupFields && !hasHistory : message === undefined && !text
    if (!isGroupedByIndex || !(await isIndexed())) return searchGroups(tenant, options)
    const scan = buildIndexScan(tenant, options)
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
      const scan = buildIndexScan(tenant, options)
      const contentConditions = buildContentConditions(options)
      const conditions = [...scan.conditions, ...contentConditions]
      if (conditions.length === 0) return pageReader.readPageByHourCounts(scan, options)
      const groupFields = getGroupFields(options)
      if (groupFields && (await isIndexed())) {
        const { total, ids } = await groupedAlerts.listIds(scan, groupFields, options)
        return { total, rows: await pageReader.readByIds(scan, ids) }
      }
      if (contentConditions.length > 0 && engine === 'sqlite') return readPageBySlices(scan, contentConditions, options)
      return pageReader.readPageByCounting({ ...scan, conditions }, options)
    },

    async listGroups(tenant: Tenant, options: AlertGroupListOptions): Promise<ResultPage<StoredAlertGroup>> {
      const { total, rows } = await readGroupPage(tenant, options)
      if (rows.length === 0) return { total, rows: [] }
      const { rows: alerts } = await sql<{ id: number; point: string }>`select id, point from trunkline_alerts
        where id in (${sql.join(rows.map(({ newestId }) => newestId))}) and ${ownerFilter(tenant).ownerCondition}`.execute(
        db,
      )
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
