import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { sinceOf, stretchOf, type Stretch } from '../../lib/call-times'

type Hour = CallOverview['hours'][number]

const hourLength = 3_600_000
const dayLength = 24 * hourLength
/** Longer stretches are drawn by the day, and of very long ones the last days. */
const longestByHour = 2 * dayLength
const mostDays = 400

/** The calls that began in one stretch. */
export interface CallBar extends Stretch {
  calls: number
  answered: number
}

/** What is drawn. */
export interface Span extends Stretch {
  /** It goes on: its end is now, and the bar of now counts on. */
  open: boolean
}

/** Calls are counted by whole hours of UTC, whatever the minutes of a person's clock. */
const hourStart = (moment: number) => Math.floor(moment / hourLength) * hourLength

const dayAt = (moment: number, days: number) => {
  const then = new Date(moment)
  return new Date(then.getFullYear(), then.getMonth(), then.getDate() + days).getTime()
}

/** What a date of the list spans at this moment. */
export const spanOf = (date: string, now: number): Span => {
  const stretch = stretchOf(date)
  if (stretch) return { ...stretch, open: false }
  const since = sinceOf(date)
  if (since) return { from: since, to: new Date(now), open: true }
  if (date === 'yesterday') return { from: new Date(dayAt(now, -1)), to: new Date(dayAt(now, 0)), open: false }
  const from = /^(7|14|30)$/.test(date) ? now - Number(date) * dayLength : dayAt(now, 0)
  return { from: new Date(from), to: new Date(now), open: true }
}

export const isByHour = ({ from, to }: Stretch): boolean => to.getTime() - from.getTime() <= longestByHour

/** A whole hour or day begins and ends with the span that it is drawn in: what lies outside has not been counted. */
const within = (from: number, to: number, span: Span): Stretch => ({
  from: new Date(Math.max(from, span.from.getTime())),
  to: new Date(span.open ? to : Math.min(to, span.to.getTime())),
})

/** A bar for every hour or every day of a stretch, whether there were calls or not. */
export const barsOf = (hours: readonly Hour[], span: Span): CallBar[] => {
  // the clock of who wrote the last call may be ahead of ours, but not by more than a day
  const told = Math.min(Date.parse(hours.at(-1)?.start ?? '') + 1 || 0, span.to.getTime() + dayLength)
  const last = Math.max(span.to.getTime(), told)
  const first = Math.max(span.from.getTime(), last - mostDays * dayLength)
  const byHour = isByHour(span)
  const next = (moment: number) => (byHour ? moment + hourLength : hourStart(dayAt(moment + hourLength - 1, 1)))
  const bars: CallBar[] = []
  for (let from = byHour ? hourStart(first) : hourStart(dayAt(first, 0)); from < last; from = next(from))
    // where a clock goes by half-hours, what begins late in a day begins after the bar of that day
    if (next(from) > first) bars.push({ ...within(Math.max(from, first), next(from), span), calls: 0, answered: 0 })
  for (const { start, calls, answered } of hours) {
    const moment = Date.parse(start)
    // the first hour may have begun before the stretch did
    const bar = bars.find(({ to }) => moment < to.getTime())
    if (!bar) continue
    bar.calls += calls
    bar.answered += answered
  }
  return bars
}

/** A moment of the day that a bar stands for: it ends with that day, or with the last whole hour of UTC in it. */
export const dayOf = ({ to }: Stretch): Date => new Date(to.getTime() - 1)

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' })

/** How many days are labelled: all of a week, fewer of a month. `margin`: bars that the dates at the ends need. */
const dayLabels = [
  { maxBars: 9, step: 1, margin: 0 },
  { maxBars: 18, step: 2, margin: 3 },
  { maxBars: 32, step: 5, margin: 7 },
]

/** Labels below the bars of days, such as 'Tue 17'; none where the bars are of months. */
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

/** The hour in which the calls that began lasted longest together. */
export const busiestOf = (hours: readonly Hour[], span: Span): (Stretch & { concurrent: number }) | undefined => {
  const busiest = hours.toSorted((one, other) => other.seconds - one.seconds)[0]
  if (!busiest || busiest.seconds === 0) return undefined
  const from = Date.parse(busiest.start)
  return { ...within(from, from + hourLength, span), concurrent: busiest.seconds / 3600 }
}
