import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { parseSince, parseTimeRange, type TimeRange } from '../../../lib/call-times'

type Hour = CallOverview['hours'][number]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Longer ranges are drawn by day; very long ones show only their last days. */
const maxHourlyRangeMs = 2 * dayMs
const maxDays = 400

/** The calls that started in one time range. */
export interface CallBar extends TimeRange {
  calls: number
  answered: number
}

/** The time range of the chart. */
export interface ChartRange extends TimeRange {
  /** The range ends now, and its last bar keeps growing. */
  isOpenEnded: boolean
}

/** The server counts calls by whole UTC hours, whatever the minutes of the local time zone. */
const hourStart = (timestamp: number) => Math.floor(timestamp / hourMs) * hourMs

const startOfDay = (timestamp: number, days: number) => {
  const date = new Date(timestamp)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

/** Returns the time range of a date filter, as of `now`. */
export const chartRange = (date: string, now: number): ChartRange => {
  const exactRange = parseTimeRange(date)
  if (exactRange) return { ...exactRange, isOpenEnded: false }
  const since = parseSince(date)
  if (since) return { from: since, to: new Date(now), isOpenEnded: true }
  if (date === 'yesterday')
    return { from: new Date(startOfDay(now, -1)), to: new Date(startOfDay(now, 0)), isOpenEnded: false }
  const from = /^(7|14|30)$/.test(date) ? now - Number(date) * dayMs : startOfDay(now, 0)
  return { from: new Date(from), to: new Date(now), isOpenEnded: true }
}

export const isByHour = ({ from, to }: TimeRange): boolean => to.getTime() - from.getTime() <= maxHourlyRangeMs

/** Clips an hour or day to the charted range, because calls outside it are not counted. */
const clipToRange = (from: number, to: number, range: ChartRange): TimeRange => ({
  from: new Date(Math.max(from, range.from.getTime())),
  to: new Date(range.isOpenEnded ? to : Math.min(to, range.to.getTime())),
})

/** Returns a bar for every hour or day of a range, including those without calls. */
export const createBars = (hours: readonly Hour[], range: ChartRange): CallBar[] => {
  // the clock of the server that wrote the last call may be ahead of the browser, but by at most a day
  const lastHourEnd = Math.min(Date.parse(hours.at(-1)?.start ?? '') + 1 || 0, range.to.getTime() + dayMs)
  const last = Math.max(range.to.getTime(), lastHourEnd)
  const first = Math.max(range.from.getTime(), last - maxDays * dayMs)
  const isHourly = isByHour(range)
  const nextStart = (moment: number) => (isHourly ? moment + hourMs : hourStart(startOfDay(moment + hourMs - 1, 1)))
  const bars: CallBar[] = []
  for (let from = isHourly ? hourStart(first) : hourStart(startOfDay(first, 0)); from < last; from = nextStart(from))
    // in a time zone with a half-hour offset, a range that starts late in a day can start after that day's bar
    if (nextStart(from) > first)
      bars.push({ ...clipToRange(Math.max(from, first), nextStart(from), range), calls: 0, answered: 0 })
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
export const createDayMarks = (bars: readonly CallBar[]): { at: number; text: string }[] => {
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
export const findBusiestHour = (
  hours: readonly Hour[],
  range: ChartRange,
): (TimeRange & { concurrent: number }) | undefined => {
  const busiest = hours.toSorted((a, b) => b.seconds - a.seconds)[0]
  if (!busiest || busiest.seconds === 0) return undefined
  const from = Date.parse(busiest.start)
  return { ...clipToRange(from, from + hourMs, range), concurrent: busiest.seconds / 3600 }
}
