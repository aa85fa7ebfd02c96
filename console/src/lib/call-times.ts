import type { TimedQuery } from '@trunkline/contract/shapes/recent-call'

const days = (count: number) => ({ value: String(count), label: `last ${count} days` })

/** The date options of a list over time. The first one is the default. */
export const dateOptions = [
  { value: '', label: 'today' },
  { value: 'yesterday', label: 'yesterday' },
  days(7),
  days(14),
  days(30),
]

const dayAt = (now: Date, back: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - back)

/** Is this an ISO timestamp, as in a link to one record? */
export const isTimestamp = (date: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T/.test(date) && !Number.isNaN(Date.parse(date))

/** A time range in a link, `from/to`. The end is exclusive. */
export interface TimeRange {
  from: Date
  to: Date
}

/** The start of an open-ended range, `from/now`. */
export const parseSince = (date: string): Date | undefined => {
  const from = /^(.+)\/now$/.exec(date)?.[1]
  return from && isTimestamp(from) ? new Date(from) : undefined
}

/** Does this date option extend to the present? */
export const isOngoing = (date: string): boolean =>
  date === '' || /^(7|14|30)$/.test(date) || parseSince(date) !== undefined

export const parseTimeRange = (date: string): TimeRange | undefined => {
  const [from, to, ...rest] = date.split('/')
  if (!from || !to || rest.length > 0 || !isTimestamp(from) || !isTimestamp(to)) return undefined
  return { from: new Date(from), to: new Date(to) }
}

export const serializeTimeRange = ({ from, to }: TimeRange): string => `${from.toISOString()}/${to.toISOString()}`

/** Converts a date option to the server's query parameters. Days start and end in the browser's time zone. */
export const toTimeQuery = (date: string, now = new Date()): Pick<TimedQuery, 'days' | 'start' | 'end'> => {
  if (isTimestamp(date)) return { start: date, end: date }
  const since = parseSince(date)
  if (since) return { start: since.toISOString() }
  const stretch = parseTimeRange(date)
  if (stretch) return { start: stretch.from.toISOString(), end: new Date(stretch.to.getTime() - 1).toISOString() }
  if (/^(7|14|30)$/.test(date)) return { days: Number(date) }
  if (date === 'yesterday')
    return { start: dayAt(now, 1).toISOString(), end: new Date(dayAt(now, 0).getTime() - 1).toISOString() }
  return { start: dayAt(now, 0).toISOString() }
}

const two = (value: number) => String(value).padStart(2, '0')

/** Formats a timestamp in the browser's time zone, as '2026-11-21 13:57:02'. Returns '' for an invalid one. */
export const formatTimestamp = (moment: string | null | undefined): string => {
  const then = new Date(moment ?? NaN)
  if (Number.isNaN(then.getTime())) return ''
  const date = [then.getFullYear(), two(then.getMonth() + 1), two(then.getDate())].join('-')
  return `${date} ${[then.getHours(), then.getMinutes(), then.getSeconds()].map(two).join(':')}`
}

/** Formats a timestamp with milliseconds, as '2026-11-21 13:57:02.118'. Returns '' for an invalid one. */
export const formatTimestampMs = (moment: string | null | undefined): string => {
  const said = formatTimestamp(moment)
  return said && `${said}.${String(new Date(moment ?? NaN).getMilliseconds()).padStart(3, '0')}`
}

/** Formats a timestamp for narrow places: '13:57:02' for today, else '2026-11-20 13:57'. */
export const formatShortTimestamp = (moment: string | null | undefined, now = new Date()): string => {
  const said = formatTimestamp(moment)
  return said.startsWith(formatTimestamp(now.toISOString()).slice(0, 10)) ? said.slice(11) : said.slice(0, 16)
}

/**
 * Formats a range in the browser's time zone: '2026-11-21' for a full day, else '2026-11-21 13:00 to 14:00'. The end
 * shows its date only if it differs.
 */
export const formatTimeRange = ({ from, to }: TimeRange): string => {
  const [begin, end] = [formatTimestamp(from.toISOString()), formatTimestamp(to.toISOString())]
  const [day, hour] = [begin.slice(0, 10), begin.slice(11, 16)]
  if (hour === '00:00' && to.getTime() === dayAt(from, -1).getTime()) return day
  return `${day} ${hour} to ${end.startsWith(day) ? end.slice(11, 16) : end.slice(0, 16)}`
}

/** Formats a date that is not one of `dateOptions`. Returns undefined for those that are. */
export const formatDateFilter = (date: string): string | undefined => {
  const since = parseSince(date)
  if (since) return `since ${formatTimestamp(since.toISOString()).slice(0, 16)}`
  const stretch = parseTimeRange(date)
  return stretch ? formatTimeRange(stretch) : isTimestamp(date) ? formatTimestamp(date) : undefined
}

/** Formats a duration: '38 s', '3m 12s', '1h 05m'. */
export const formatDuration = (seconds: number | null | undefined): string => {
  if (seconds === null || seconds === undefined) return ''
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${two(whole % 60)}s`
  return `${Math.floor(whole / 3600)}h ${two(Math.floor((whole % 3600) / 60))}m`
}
