import type { Alert, AlertGroup } from '@trunkline/contract/shapes/recent-call'
import type { ResultPage, TimedListOptions } from '../../../ports/call-history'

/** Groups alerts, newest first, and returns one page of groups. For stores that cannot group by message. */
export const groupAlerts = (alerts: readonly Alert[], { page, count }: TimedListOptions): ResultPage<AlertGroup> => {
  const groups = new Map<string, { newest: Alert; oldest: Alert; count: number; accounts: Set<string> }>()
  for (const alert of alerts) {
    const key = JSON.stringify([alert.alert_type, alert.message])
    const group = groups.get(key) ?? { newest: alert, oldest: alert, count: 0, accounts: new Set<string>() }
    group.oldest = alert
    group.count += 1
    if (alert.account_sid) group.accounts.add(alert.account_sid)
    groups.set(key, group)
  }
  return {
    total: groups.size,
    rows: [...groups.values()]
      .slice((page - 1) * count, page * count)
      .map(({ newest, oldest, count: size, accounts }) => ({
        ...newest,
        count: size,
        first: oldest.time,
        accounts: accounts.size,
      })),
  }
}
