import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { formatTimestamp, parseOpenRangeStart, parseTimeRange, type TimeRange } from '../../lib/call-times'

type HourCounts = CallOverview['hours'][number]

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Longer ranges have a bar per day. */
const maxHourlyRangeMs = 2 * dayMs
/** Longer ranges show only their last days. */
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

/**
 * Returns the start of a UTC hour. The server counts calls per UTC hour, also where the local time is offset by half an
 * hour.
 */
const getHourStart = (timestamp: number) => Math.floor(timestamp / hourMs) * hourMs

/** Returns the start of a local day. `dayOffset`: 0 for the day of `timestamp`, -1 for the day before. */
const startOfDay = (timestamp: number, dayOffset: number) => {
  const date = new Date(timestamp)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + dayOffset).getTime()
}

/** Returns the time range of a date filter at the time `now`. */
export const getChartRange = (dateFilter: string, now: number): ChartRange => {
  const exactRange = parseTimeRange(dateFilter)
  if (exactRange) return { ...exactRange, isOpenEnded: false }
  const openRangeStart = parseOpenRangeStart(dateFilter)
  if (openRangeStart) return { from: openRangeStart, to: new Date(now), isOpenEnded: true }
  if (dateFilter === 'yesterday')
    return { from: new Date(startOfDay(now, -1)), to: new Date(startOfDay(now, 0)), isOpenEnded: false }
  const from = /^(7|14|30)$/.test(dateFilter) ? now - Number(dateFilter) * dayMs : startOfDay(now, 0)
  return { from: new Date(from), to: new Date(now), isOpenEnded: true }
}

export const isByHour = ({ from, to }: TimeRange): boolean => to.getTime() - from.getTime() <= maxHourlyRangeMs

/** Clips an hour or day to the charted range, because calls outside it are not counted. */
const clipToRange = (from: number, to: number, range: ChartRange): TimeRange => ({
  from: new Date(Math.max(from, range.from.getTime())),
  to: new Date(range.isOpenEnded ? to : Math.min(to, range.to.getTime())),
})

/** Returns a bar for every hour or day of a range, including those without calls. */
export const createBars = (hours: readonly HourCounts[], range: ChartRange): CallBar[] => {
  // A voice server's clock may be ahead of the browser's, so calls may start after the range ends. Bars for them are added,
  // for at most one day.
  const lastCountedMs = Math.min(Date.parse(hours.at(-1)?.start ?? '') + 1 || 0, range.to.getTime() + dayMs)
  const lastMs = Math.max(range.to.getTime(), lastCountedMs)
  const firstMs = Math.max(range.from.getTime(), lastMs - maxDays * dayMs)
  const isHourly = isByHour(range)
  const getNextStart = (start: number) => (isHourly ? start + hourMs : getHourStart(startOfDay(start + hourMs - 1, 1)))
  const bars: CallBar[] = []
  for (
    let from = isHourly ? getHourStart(firstMs) : getHourStart(startOfDay(firstMs, 0));
    from < lastMs;
    from = getNextStart(from)
  )
    // Where the local time is offset by half an hour, day bars end at a full UTC hour, before the local day ends. A bar
    // that ends before the range starts is omitted.
    if (getNextStart(from) > firstMs)
      bars.push({ ...clipToRange(Math.max(from, firstMs), getNextStart(from), range), calls: 0, answered: 0 })
  for (const { start, calls, answered } of hours) {
    const startMs = Date.parse(start)
    // the first hour may have started before the range
    const bar = bars.find(({ to }) => startMs < to.getTime())
    if (!bar) continue
    bar.calls += calls
    bar.answered += answered
  }
  return bars
}

/** Returns the date of a day bar, as its last millisecond. Its start may be in the previous day, by less than an hour. */
export const dateOfBar = ({ to }: TimeRange): Date => new Date(to.getTime() - 1)

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })

/**
 * The spacing of day labels by the number of bars: every day of a week has a label, fewer days of a month. `step`: the
 * number of bars from one label to the next. `margin`: the number of bars without a label at each end, where the chart
 * shows the first and the last date.
 */
const labelSpacings = [
  { maxBars: 9, step: 1, margin: 0 },
  { maxBars: 18, step: 2, margin: 3 },
  { maxBars: 32, step: 5, margin: 7 },
]

/** Returns the labels below day bars, such as 'Tue 17'; none for ranges longer than 32 days. */
export const createDayMarks = (bars: readonly CallBar[]): { positionFraction: number; text: string }[] => {
  const labelSpacing = labelSpacings.find(({ maxBars }) => bars.length <= maxBars)
  if (!labelSpacing) return []
  const { step, margin } = labelSpacing
  return bars.flatMap((bar, index) =>
    index >= margin && index < bars.length - margin && (index - margin) % step === 0
      ? { positionFraction: (index + 0.5) / bars.length, text: dayFormat.format(dateOfBar(bar)) }
      : [],
  )
}

/** Fraction of the width at each end whose labels would touch the end labels. */
const endLabelFraction = 0.15

/** Returns labels such as '06:00' for every third hour of the day, or every sixth if there are many bars. */
export const createHourMarks = (bars: readonly CallBar[]): { positionFraction: number; text: string }[] => {
  const step = bars.length > 26 ? 6 : 3
  return bars.flatMap(({ from }, index) => {
    const positionFraction = index / bars.length
    const isLabelled = from.getMinutes() === 0 && from.getHours() % step === 0
    return isLabelled && positionFraction > endLabelFraction && positionFraction < 1 - endLabelFraction
      ? { positionFraction, text: formatTimestamp(from.toISOString()).slice(11, 16) }
      : []
  })
}

/** Returns the hour with the greatest total duration of the calls that started in it. */
export const findBusiestHour = (
  hours: readonly HourCounts[],
  range: ChartRange,
): (TimeRange & { averageConcurrentCalls: number }) | undefined => {
  const busiest = hours.toSorted((a, b) => b.seconds - a.seconds)[0]
  if (!busiest || busiest.seconds === 0) return undefined
  const from = Date.parse(busiest.start)
  return { ...clipToRange(from, from + hourMs, range), averageConcurrentCalls: busiest.seconds / 3600 }
}
