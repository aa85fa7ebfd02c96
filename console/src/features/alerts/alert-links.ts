import { serializeTimeRange } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import type { AlertRow } from '../../panels/alerts/alert-source'

const createPath = (path: string, filters: Record<string, string>) =>
  `${path}?${new URLSearchParams(Object.fromEntries(Object.entries(filters).filter(([, value]) => value))).toString()}`

/** The link to the calls around alerts covers this time before the first and after the last one. */
const callsBeforeMs = 5 * 60_000
const callsAfterMs = 60_000

/** Returns the path of the calls between two alerts; undefined if a time is not valid. */
export const createPeriodPath = (firstAlert: string, lastAlert: string, account: string): string | undefined => {
  const [firstAt, lastAt] = [Date.parse(firstAlert), Date.parse(lastAlert)]
  if (Number.isNaN(firstAt) || Number.isNaN(lastAt)) return undefined
  const date = serializeTimeRange({ from: new Date(firstAt - callsBeforeMs), to: new Date(lastAt + callsAfterMs) })
  return createPath(paths.recentCalls, { date, account })
}

/**
 * Returns the path of the call that an alert is about. `target_sid` is the SID of a call if the alert is about a call. It
 * may also be the SID of another record: the link then says that there is no such call.
 */
export const createTargetCallPath = ({ target_sid }: AlertRow, account = ''): string | undefined =>
  target_sid ? createPath(paths.recentCall(target_sid), { date: '30', account, text: target_sid }) : undefined

/** The maximum length of a text filter, which the server accepts. */
const maxTextLength = 200

/** Returns the path of the list with every alert of a group, of all accounts ('') or one. */
export const createGroupAlertsPath = (
  { alert_type, message }: { alert_type: string; message: string },
  date: string,
  account: string,
): string =>
  createPath(paths.alerts, { date, account, type: alert_type, text: message.slice(0, maxTextLength), group: 'off' })
