import type { AlertGroup } from '@trunkline/contract/shapes/recent-call'
import { alertHistory, type AlertGroupListOptions, type ResultPage, type Tenant } from '../../../ports/call-history'
import { buildAlertConditions } from './conditions'
import type { ClickHouseConnection, Values } from './connection'
import { formatTimeNs, toAlert, tupleToRow } from './rows'
import { recordTables, selectedColumnsOf } from './tables'

const { intervalMs, intervalCount } = alertHistory
const emptyHistory = Array.from({ length: intervalCount }, () => 0)

/** Returns the count of each interval. `sums`: the numbers of the intervals, and their counts. */
const toHistory = (sums: unknown): number[] => {
  const [indexes = [], counts = []] = sums as [unknown[]?, unknown[]?]
  const history = [...emptyHistory]
  for (const [position, index] of indexes.entries()) history[Number(index)] = Number(counts[position])
  return history
}

const toGroup = (row: Values, hasHistory: boolean | undefined): AlertGroup => ({
  ...toAlert(tupleToRow('alerts', row.newest_alert as unknown[])),
  count: Number(row.alert_count),
  first: formatTimeNs(row.oldest_ns),
  accounts: Number(row.account_count),
  // always set, because the alert may have a field of this name
  history: hasHistory ? toHistory(row.history) : undefined,
})

/** Creates a function that groups alerts in one query. */
export const createAlertGroupReader =
  ({ query, qualify }: ClickHouseConnection, clock: () => number) =>
  async (tenant: Tenant, options: AlertGroupListOptions, oldestAt: number): Promise<ResultPage<AlertGroup>> => {
    const { from, page, count, isByAccount, hasHistory } = options
    const historyStart = (options.to ?? clock()) - intervalCount * intervalMs
    // The history may start before the period of the list.
    const readsEarlierAlerts = hasHistory && from !== undefined && historyStart < from
    const { where, params } = buildAlertConditions(
      tenant,
      { ...options, ...(readsEarlierAlerts ? { from: historyStart } : {}) },
      oldestAt,
    )
    const isListed = readsEarlierAlerts ? 'time_ns >= {listStartNs:Int64}' : '1'
    // An alert of a voice server whose clock is ahead belongs to the last interval.
    const interval = `least(${intervalCount - 1}, intDiv(time_ns - {historyStartNs:Int64}, ${intervalMs * 1_000_000}))`
    const historyColumn = hasHistory
      ? `, sumMapIf([${interval}], [toUInt64(1)], time_ns >= {historyStartNs:Int64}) as history`
      : ''
    const { rows, totalRows } = await query(
      `select countIf(${isListed}) as alert_count, maxIf(time_ns, ${isListed}) as newest_ns,
        minIf(time_ns, ${isListed}) as oldest_ns,
        uniqExactIf(account_sid, ${isListed} and account_sid != '') as account_count,
        argMaxIf(tuple(${selectedColumnsOf(recordTables.alerts)}), (time_ns, alert_key), ${isListed}) as newest_alert
        ${historyColumn}
      from ${qualify(recordTables.alerts.name)} final where ${where.join(' and ')}
      group by alert_type, message ${isByAccount ? ', account_sid' : ''} having alert_count > 0
      order by newest_ns desc, newest_alert desc limit {count:UInt32} offset {offset:UInt64}`,
      {
        ...params,
        count,
        offset: (page - 1) * count,
        ...(readsEarlierAlerts ? { listStartNs: BigInt(Math.ceil(from)) * 1_000_000n } : {}),
        ...(hasHistory ? { historyStartNs: BigInt(Math.ceil(historyStart)) * 1_000_000n } : {}),
      },
    )
    return { total: totalRows, rows: rows.map((row) => toGroup(row, hasHistory)) }
  }
