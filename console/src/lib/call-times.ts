import type { EventQuery } from '@trunkline/contract/shapes/recent-call'

const createLastDaysOption = (count: number) => ({ value: String(count), label: `last ${count} days` })

/** The date options of a list over time. The first one is the default. */
export const dateOptions = [
  { value: '', label: 'today' },
  { value: 'yesterday', label: 'yesterday' },
  createLastDaysOption(7),
  createLastDaysOption(14),
  createLastDaysOption(30),
]

/** Returns the start of a local day: today, or the given number of days before. */
export const startOfDay = (now: Date, daysBack: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysBack)

/** Is this an ISO timestamp, as in a link to one record? */
export const isTimestamp = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))

/** A time range in a link, `from/to`. The end is exclusive. */
export interface TimeRange {
  from: Date
  to: Date
}

/** The start of an open-ended range, `from/now`. Undefined for other date filters. */
export const parseOpenRangeStart = (dateFilter: string): Date | undefined => {
  const from = /^(.+)\/now$/.exec(dateFilter)?.[1]
  return from && isTimestamp(from) ? new Date(from) : undefined
}

/** Formats an open-ended range: `from/now`. */
export const serializeOpenRange = (from: Date): string => `${from.toISOString()}/now`

/** Does the date filter include the present, so that new records can match it? */
export const includesNow = (dateFilter: string): boolean =>
  dateFilter === '' || /^(7|14|30)$/.test(dateFilter) || parseOpenRangeStart(dateFilter) !== undefined

export const parseTimeRange = (dateFilter: string): TimeRange | undefined => {
  const [from, to, ...extraParts] = dateFilter.split('/')
  if (!from || !to || extraParts.length > 0 || !isTimestamp(from) || !isTimestamp(to)) return undefined
  return { from: new Date(from), to: new Date(to) }
}

export const serializeTimeRange = ({ from, to }: TimeRange): string => `${from.toISOString()}/${to.toISOString()}`

/** Converts a date filter to the server's query parameters. Days start and end in the browser's time zone. */
export const toTimeQuery = (dateFilter: string, now = new Date()): Pick<EventQuery, 'days' | 'start' | 'end'> => {
  if (isTimestamp(dateFilter)) return { start: dateFilter, end: dateFilter }
  const openRangeStart = parseOpenRangeStart(dateFilter)
  if (openRangeStart) return { start: openRangeStart.toISOString() }
  const range = parseTimeRange(dateFilter)
  if (range) return { start: range.from.toISOString(), end: new Date(range.to.getTime() - 1).toISOString() }
  if (/^(7|14|30)$/.test(dateFilter)) return { days: Number(dateFilter) }
  if (dateFilter === 'yesterday')
    return { start: startOfDay(now, 1).toISOString(), end: new Date(startOfDay(now, 0).getTime() - 1).toISOString() }
  return { start: startOfDay(now, 0).toISOString() }
}

const padTwo = (value: number) => String(value).padStart(2, '0')

/** Formats a timestamp in the browser's time zone, as '2026-11-21 13:57:02'. Returns '' for an invalid one. */
export const formatTimestamp = (timestamp: string | null | undefined): string => {
  const date = new Date(timestamp ?? NaN)
  if (Number.isNaN(date.getTime())) return ''
  const day = [date.getFullYear(), padTwo(date.getMonth() + 1), padTwo(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwo).join(':')}`
}

/** Formats a timestamp with milliseconds, as '2026-11-21 13:57:02.118'. Returns '' for an invalid one. */
export const formatTimestampMs = (timestamp: string | null | undefined): string => {
  const text = formatTimestamp(timestamp)
  return text && `${text}.${String(new Date(timestamp ?? NaN).getMilliseconds()).padStart(3, '0')}`
}

const monthAndDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })

/** Formats a timestamp for narrow places: '13:57:02' for today, 'Yesterday 13:57', 'Nov 20 13:57', '2025-11-20 13:57'. */
export const formatShortTimestamp = (timestamp: string | null | undefined, now = new Date()): string => {
  const text = formatTimestamp(timestamp)
  if (text === '') return ''
  const isDay = (day: Date) => text.startsWith(formatTimestamp(day.toISOString()).slice(0, 10))
  if (isDay(now)) return text.slice(11)
  const time = text.slice(11, 16)
  if (isDay(startOfDay(now, 1))) return `Yesterday ${time}`
  const date = new Date(timestamp ?? NaN)
  return date.getFullYear() === now.getFullYear() ? `${monthAndDay.format(date)} ${time}` : text.slice(0, 16)
}

/**
 * Formats a range in the browser's time zone: '2026-11-21' for a full day, else '2026-11-21 13:00 to 14:00'. The end
 * shows its date only if it differs.
 */
export const formatTimeRange = ({ from, to }: TimeRange): string => {
  const [start, end] = [formatTimestamp(from.toISOString()), formatTimestamp(to.toISOString())]
  const [day, time] = [start.slice(0, 10), start.slice(11, 16)]
  if (time === '00:00' && to.getTime() === startOfDay(from, -1).getTime()) return day
  return `${day} ${time} to ${end.startsWith(day) ? end.slice(11, 16) : end.slice(0, 16)}`
}

/** Formats a date filter that is not one of `dateOptions`. Returns undefined for those that are. */
export const formatDateFilter = (dateFilter: string): string | undefined => {
  const openRangeStart = parseOpenRangeStart(dateFilter)
  if (openRangeStart) return `since ${formatTimestamp(openRangeStart.toISOString()).slice(0, 16)}`
  const range = parseTimeRange(dateFilter)
  return range ? formatTimeRange(range) : isTimestamp(dateFilter) ? formatTimestamp(dateFilter) : undefined
}

/** Formats a duration: '38 s', '3m 12s', '1h 05m'. */
export const formatDuration = (seconds: number | null | undefined): string => {
  if (seconds === null || seconds === undefined) return ''
  const wholeSeconds = Math.round(seconds)
  if (wholeSeconds < 60) return `${wholeSeconds} s`
  if (wholeSeconds < 3600) return `${Math.floor(wholeSeconds / 60)}m ${padTwo(wholeSeconds % 60)}s`
  return `${Math.floor(wholeSeconds / 3600)}h ${padTwo(Math.floor((wholeSeconds % 3600) / 60))}m`
}

/** How long something has lasted: '14 min' or '4h 50m'. */
export const formatAge = (durationMs: number): string => {
  const minutes = Math.max(1, Math.round(durationMs / 60_000))
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return `${hours}h ${String(minutes % 60).padStart(2, '0')}m`
}
