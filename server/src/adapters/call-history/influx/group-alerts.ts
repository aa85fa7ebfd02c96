import type { Alert, AlertGroup } from '@trunkline/contract/shapes/recent-call'
import { alertHistory, type AlertGroupListOptions, type ResultPage } from '../../../ports/call-history'

interface Group {
  newestAlert: Alert
  oldestAlert: Alert
  alertCount: number
  accountSids: Set<string>
}

const newGroup = (alert: Alert): Group => ({
  newestAlert: alert,
  oldestAlert: alert,
  alertCount: 0,
  accountSids: new Set(),
})

const emptyHistory = Array.from({ length: alertHistory.intervalCount }, () => 0)

const getGroupKey = ({ alert_type, message, account_sid }: Alert, { isByAccount }: AlertGroupListOptions): string =>
  JSON.stringify([alert_type, message, ...(isByAccount ? [account_sid] : [])])

/** The start of a history that ends at this time, in milliseconds since 1970. */
export const getHistoryStart = (endAt: number): number => endAt - alertHistory.intervalCount * alertHistory.intervalMs

/** Counts the alerts of each group by interval. See `alertHistory`. */
export const countByInterval = (
  alerts: readonly Alert[],
  options: AlertGroupListOptions,
  endAt: number,
): Map<string, number[]> => {
  const { intervalMs, intervalCount } = alertHistory
  const histories = new Map<string, number[]>()
  for (const alert of alerts) {
    const key = getGroupKey(alert, options)
    const history = histories.get(key) ?? Array.from({ length: intervalCount }, () => 0)
    const position = Math.floor((Date.parse(alert.time) - getHistoryStart(endAt)) / intervalMs)
    // an alert of a voice server whose clock is ahead belongs to the last interval
    const index = Math.min(position, intervalCount - 1)
    if (index >= 0) history[index]! += 1
    histories.set(key, history)
  }
  return histories
}

/**
 * Groups alerts, newest first, and returns one page of groups. For stores that cannot group by message. `histories`: from
 * `countByInterval`, if they are known.
 */
export const groupAlerts = (
  alerts: readonly Alert[],
  options: AlertGroupListOptions,
  histories?: ReadonlyMap<string, number[]>,
): ResultPage<AlertGroup> => {
  const { page, count } = options
  const groups = new Map<string, Group>()
  for (const alert of alerts) {
    const key = getGroupKey(alert, options)
    const group = groups.get(key) ?? newGroup(alert)
    group.oldestAlert = alert
    group.alertCount += 1
    if (alert.account_sid) group.accountSids.add(alert.account_sid)
    groups.set(key, group)
  }
  return {
    total: groups.size,
    rows: [...groups]
      .slice((page - 1) * count, page * count)
      .map(([key, { newestAlert, oldestAlert, alertCount, accountSids }]) => ({
        ...newestAlert,
        count: alertCount,
        first: oldestAlert.time,
        accounts: accountSids.size,
        // always set, because the alert may have a field of this name; a group without one is older than the history
        history: histories && (histories.get(key) ?? emptyHistory),
      })),
  }
}
