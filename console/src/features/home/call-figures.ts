import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import { formatPercent } from '../../lib/percent'
import { formatCount } from '../../ui/format-count'

/** A figure of today, and how it differs from that of a week ago at the same time. */
export interface CallFigure {
  value: string
  /** Such as '−9%'; undefined if there is nothing to compare with. */
  change: string | undefined
  /** The value of a week ago; undefined if there were no calls. */
  before: string | undefined
  /** The figure is clearly worse than a week ago. */
  isWorse: boolean
}

/** With fewer calls than this, a difference may be chance. */
const minComparedCalls = 20
/** From these differences on, a figure is clearly worse. */
const worseSharePoints = 2
const worseDelayMs = 300

const noValue = '–'

const formatSeconds = (delayMs: number) => `${(delayMs / 1000).toFixed(1)} s`

/** Adds a sign to a rounded difference. A difference that rounds to 0 has none. */
const addSign = (difference: number, format: (absolute: number) => string) => {
  const text = format(Math.abs(difference))
  if (!/[1-9]/.test(text)) return text
  return `${difference < 0 ? '−' : '+'}${text}`
}

const getAnsweredShare = ({ calls, answered }: CallOverview) => (calls > 0 ? answered / calls : undefined)

interface ComparedDays {
  today: CallOverview
  lastWeek: CallOverview
}

const haveEnoughCalls = ({ today, lastWeek }: ComparedDays) =>
  today.calls >= minComparedCalls && lastWeek.calls >= minComparedCalls

/** Compares two values of which either may be unknown. */
const compare = (
  value: number | undefined,
  before: number | undefined,
  format: (value: number) => string,
  formatChange: (value: number, before: number) => string,
): Omit<CallFigure, 'isWorse'> => ({
  value: value === undefined ? noValue : format(value),
  before: before === undefined ? undefined : format(before),
  change: value === undefined || before === undefined ? undefined : formatChange(value, before),
})

/** The number of calls. More or fewer calls are neither better nor worse. */
export const compareCallCounts = ({ today, lastWeek }: ComparedDays): CallFigure => ({
  ...compare(today.calls, lastWeek.calls || undefined, formatCount, (calls, before) =>
    addSign(((calls - before) / before) * 100, (percent) => `${percent.toFixed(0)}%`),
  ),
  isWorse: false,
})

/** The share of calls that were answered. */
export const compareAnsweredShares = (days: ComparedDays): CallFigure => {
  const [share, before] = [getAnsweredShare(days.today), getAnsweredShare(days.lastWeek)]
  const lostPoints = share === undefined || before === undefined ? 0 : (before - share) * 100
  return {
    ...compare(share, before, formatPercent, () => addSign(-lostPoints, (points) => `${points.toFixed(1)} points`)),
    isWorse: haveEnoughCalls(days) && lostPoints >= worseSharePoints,
  }
}

/** The percentile of the time from the call attempt to the answer. */
export const compareDelays = (days: ComparedDays): CallFigure => {
  const delayMs = days.today.post_dial_delay_percentile ?? undefined
  const beforeMs = days.lastWeek.post_dial_delay_percentile ?? undefined
  const addedMs = delayMs === undefined || beforeMs === undefined ? 0 : delayMs - beforeMs
  return {
    ...compare(delayMs, beforeMs, formatSeconds, () => addSign(addedMs, formatSeconds)),
    isWorse: haveEnoughCalls(days) && addedMs >= worseDelayMs,
  }
}
