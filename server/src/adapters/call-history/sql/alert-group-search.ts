import { sql, type RawBuilder } from 'kysely'
import { maxAlertGroups } from '@trunkline/contract/resources/alert'
import type { Database } from '../../../db/database'
import type { AlertGroupListOptions, ResultPage, Tenant } from '../../../ports/call-history'
import { addToHistory, emptyHistory, getIntervals, intervalIndexOf } from './alert-histories'
import { digestOfGroup } from './alert-index'
import type { AlertScanBuilder } from './alert-scan'
import type { AlertGroupRow } from './grouped-alerts'
import type { IndexScan, ScanClauses } from './index-scan'
import type { ScanSlicer } from './scan-slices'

interface GroupingFields {
  alert_type: string | null
  message: unknown
  account_sid: string | null
}

/** The alerts of a slice with the same fields. */
interface SliceGroup extends GroupingFields {
  newestId: number
  oldestId: number
  /** A text in MySQL. */
  alertCount: number | string
}

interface GroupSums {
  newestId: number
  oldestId: number
  alertCount: number
  accounts: Set<string>
}

/** Identifies the group of an alert. With `isByAccount`, each account has groups of its own. */
const groupKeyOf = ({ alert_type, message, account_sid }: GroupingFields, isByAccount = false): string =>
  `${digestOfGroup(alert_type, message)} ${isByAccount ? account_sid : ''}`

/** Adds a part of a group that is older than the parts added before. */
const addToGroups = (
  groups: Map<string, GroupSums>,
  key: string,
  { account_sid, newestId, oldestId, alertCount }: SliceGroup,
): void => {
  let group = groups.get(key)
  if (!group) {
    if (groups.size === maxAlertGroups) return
    group = { newestId, oldestId, alertCount: 0, accounts: new Set() }
    groups.set(key, group)
  }
  group.oldestId = Math.min(group.oldestId, oldestId)
  group.alertCount += Number(alertCount)
  if (account_sid !== null) group.accounts.add(account_sid)
}

interface GroupSearchOptions {
  scanBuilder: AlertScanBuilder
  sliceScan: ScanSlicer
  /** Returns the current time. */
  clock: () => number
}

/**
 * Creates a reader of groups that reads the content of all alerts of the period, in slices. It is for filters by text or by
 * message alone, which no index can answer, and for alerts that `trunkline_grouped_alerts` does not contain yet.
 */
export const createAlertGroupSearch = (
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { tableWithIndex, whereCondition, pointField }: ScanClauses,
  { scanBuilder: { buildIndexScan, buildContentConditions }, sliceScan, clock }: GroupSearchOptions,
) => {
  /** Reads the matching alerts of each slice, grouped. With `intervalIndex`, each interval is a group too. */
  const readSlices = async function* (
    tenant: Tenant,
    options: AlertGroupListOptions,
    intervalIndex: RawBuilder<unknown>,
  ) {
    const scan = buildIndexScan(tenant, options)
    const contentConditions = buildContentConditions(options)
    for await (const idRange of sliceScan(scan)) {
      const slice: IndexScan = { ...scan, idRange, conditions: [...scan.conditions, ...contentConditions] }
      const { rows } = await sql<SliceGroup & { intervalIndex: number }>`
        select alert_type, ${pointField('message')} as message, account_sid, ${intervalIndex} as intervalIndex,
          max(id) as newestId, min(id) as oldestId, count(*) as alertCount
        from ${tableWithIndex(slice)} where ${whereCondition(slice)}
        group by alert_type, message, account_sid, intervalIndex order by newestId desc`.execute(db)
      yield rows
    }
  }

  const readHistories = async (tenant: Tenant, options: AlertGroupListOptions, keys: readonly string[]) => {
    const { startAt, firstId, idCount } = getIntervals(options.to ?? clock())
    const histories = new Map(keys.map((key) => [key, [...emptyHistory]]))
    const intervalIndex = intervalIndexOf(engine, firstId, idCount)
    for await (const rows of readSlices(tenant, { ...options, from: startAt }, intervalIndex))
      for (const row of rows) {
        const history = histories.get(groupKeyOf(row, options.isByAccount))
        if (history) addToHistory(history, row.intervalIndex, row.alertCount)
      }
    return histories
  }

  return async (tenant: Tenant, options: AlertGroupListOptions): Promise<ResultPage<AlertGroupRow>> => {
    const { page, count, isByAccount, hasHistory } = options
    const groups = new Map<string, GroupSums>()
    for await (const rows of readSlices(tenant, options, sql`0`))
      for (const row of rows) addToGroups(groups, groupKeyOf(row, isByAccount), row)
    const pageGroups = [...groups].slice((page - 1) * count, page * count)
    const histories = hasHistory
      ? await readHistories(
          tenant,
          options,
          pageGroups.map(([key]) => key),
        )
      : undefined
    return {
      total: groups.size,
      rows: pageGroups.map(([key, { accounts, ...group }]) => ({
        ...group,
        accountCount: accounts.size,
        ...(histories && { history: histories.get(key)! }),
      })),
    }
  }
}
