import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { parseSince, parseTimeRange, type TimeRange } from '../../../lib/call-times'

type Hour = CallOverview['hours'][number]

const hourLength = 3_600_000
const dayLength = 24 * hourLength
/** Longer ranges are drawn by day; very long ones show only their last days. */
const longestByHour = 2 * dayLength
const mostDays = 400

/** The calls that started in one time range. */
export interface CallBar extends TimeRange {
  calls: number
  answered: number
}

/** The time range of the chart. */
export interface Span extends TimeRange {
  /** The range ends now, and its last bar keeps growing. */
  open: boolean
}

/** The server counts calls by whole UTC hours, whatever the minutes of the local time zone. */
const hourStart = (moment: number) => Math.floor(moment / hourLength) * hourLength

const dayAt = (moment: number, days: number) => {
  const then = new Date(moment)
  return new Date(then.getFullYear(), then.getMonth(), then.getDate() + days).getTime()
}

/** Returns the time range of a date filter, as of `now`. */
export const spanOf = (date: string, now: number): Span => {
  const stretch = parseTimeRange(date)
  if (stretch) return { ...stretch, open: false }
  const since = parseSince(date)
  if (since) return { from: since, to: new Date(now), open: true }
  if (date === 'yesterday') return { from: new Date(dayAt(now, -1)), to: new Date(dayAt(now, 0)), open: false }
  const from = /^(7|14|30)$/.test(date) ? now - Number(date) * dayLength : dayAt(now, 0)
  return { from: new Date(from), to: new Date(now), open: true }
}

export const isByHour = ({ from, to }: TimeRange): boolean => to.getTime() - from.getTime() <= longestByHour

/** Clips an hour or day to the charted range, because calls outside it are not counted. */
const within = (from: number, to: number, span: Span): TimeRange => ({
  from: new Date(Math.max(from, span.from.getTime())),
  to: new Date(span.open ? to : Math.min(to, span.to.getTime())),
})

/** Returns a bar for every hour or day of a range, including those without calls. */
export const barsOf = (hours: readonly Hour[], span: Span): CallBar[] => {
  // the clock of the server that wrote the last call may be ahead of the browser, but by at most a day
  const told = Math.min(Date.parse(hours.at(-1)?.start ?? '') + 1 || 0, span.to.getTime() + dayLength)
  const last = Math.max(span.to.getTime(), told)
  const first = Math.max(span.from.getTime(), last - mostDays * dayLength)
  const byHour = isByHour(span)
  const next = (moment: number) => (byHour ? moment + hourLength : hourStart(dayAt(moment + hourLength - 1, 1)))
  const bars: CallBar[] = []
  for (let from = byHour ? hourStart(first) : hourStart(dayAt(first, 0)); from < last; from = next(from))
    // in a time zone with a half-hour offset, a range that starts late in a day can start after that day's bar
    if (next(from) > first) bars.push({ ...within(Math.max(from, first), next(from), span), calls: 0, answered: 0 })
  for (const { start, calls, answered } of hours) {
    const moment = Date.parse(start)
    // the first hour may have started before the range
    const bar = bars.find(({ to }) => moment < to.getTime())
    if (!bar) continue
    bar.calls += calls
    bar.answered += answered
  }
  return bars
}

/** Returns a time within the day of a bar. The bar ends with that day, or with the last whole UTC hour in it. */
export const dayOf = ({ to }: TimeRange): Date => new Date(to.getTime() - 1)

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })

/**
 * How many days get a label: all of a week, fewer of a month. `margin` is the number of bars left free for the dates at
 * the ends.
 */
const dayLabels = [
  { maxBars: 9, step: 1, margin: 0 },
  { maxBars: 18, step: 2, margin: 3 },
  { maxBars: 32, step: 5, margin: 7 },
]

/** Returns the labels below day bars, such as 'Tue 17'; none for ranges longer than 32 days. */
export const dayMarks = (bars: readonly CallBar[]): { at: number; text: string }[] => {
  const labels = dayLabels.find(({ maxBars }) => bars.length <= maxBars)
  if (!labels) return []
  const { step, margin } = labels
  return bars.flatMap((bar, index) =>
    index >= margin && index < bars.length - margin && (index - margin) % step === 0
      ? { at: (index + 0.5) / bars.length, text: weekday.format(dayOf(bar)) }
      : [],
  )
}

/** Returns the hour with the greatest total duration of the calls that started in it. */
export const busiestOf = (hours: readonly Hour[], span: Span): (TimeRange & { concurrent: number }) | undefined => {
  const busiest = hours.toSorted((one, other) => other.seconds - one.seconds)[0]
  if (!busiest || busiest.seconds === 0) return undefined
  const from = Date.parse(busiest.start)
  return { ...within(from, from + hourLength, span), concurrent: busiest.seconds / 3600 }
}
