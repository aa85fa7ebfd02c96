import type { Alert, AlertGroup } from '@trunkline/contract/shapes/recent-call'
import type { ResultPage, TimedListOptions } from '../../../ports/call-history'

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

/** Groups alerts, newest first, and returns one page of groups. For stores that cannot group by message. */
export const groupAlerts = (alerts: readonly Alert[], { page, count }: TimedListOptions): ResultPage<AlertGroup> => {
  const groups = new Map<string, Group>()
  for (const alert of alerts) {
    const key = JSON.stringify([alert.alert_type, alert.message])
    const group = groups.get(key) ?? newGroup(alert)
    group.oldestAlert = alert
    group.alertCount += 1
    if (alert.account_sid) group.accountSids.add(alert.account_sid)
    groups.set(key, group)
  }
  return {
    total: groups.size,
    rows: [...groups.values()]
      .slice((page - 1) * count, page * count)
      .map(({ newestAlert, oldestAlert, alertCount, accountSids }) => ({
        ...newestAlert,
        count: alertCount,
        first: oldestAlert.time,
        accounts: accountSids.size,
      })),
  }
}
