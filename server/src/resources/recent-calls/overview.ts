import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import type { CallSum } from '../../ports/call-history'

const hourMs = 3_600_000

const sumOf = (
  sums: readonly CallSum[],
  field: 'callCount' | 'totalSeconds' | 'timedCallCount' | 'totalDelayMs',
): number => sums.reduce((sum, callSum) => sum + callSum[field], 0)

/** The average, rounded to three decimals because clients round again. Null if there are no values. */
const computeAverage = (sum: number, count: number): number | null =>
  count > 0 ? Math.round((sum / count) * 1000) / 1000 : null

const groupBy = (sums: readonly CallSum[], field: 'hour' | 'sip_status'): [number, CallSum[]][] => {
  const groups = new Map<number, CallSum[]>()
  for (const callSum of sums) {
    const group = groups.get(callSum[field])
    if (group) group.push(callSum)
    else groups.set(callSum[field], [callSum])
  }
  return [...groups].toSorted(([a], [b]) => a - b)
}

/** Summarizes calls: totals, averages, calls per hour and failures by status. */
export const buildOverview = (sums: readonly CallSum[]): CallOverview => {
  const answeredSums = sums.filter((sum) => sum.answered)
  return {
    calls: sumOf(sums, 'callCount'),
    answered: sumOf(answeredSums, 'callCount'),
    duration: computeAverage(sumOf(answeredSums, 'totalSeconds'), sumOf(answeredSums, 'callCount')),
    post_dial_delay: computeAverage(sumOf(answeredSums, 'totalDelayMs'), sumOf(answeredSums, 'timedCallCount')),
    hours: groupBy(sums, 'hour').map(([hour, group]) => ({
      start: new Date(hour * hourMs).toISOString(),
      calls: sumOf(group, 'callCount'),
      answered: sumOf(
        group.filter((sum) => sum.answered),
        'callCount',
      ),
      seconds: sumOf(group, 'totalSeconds'),
    })),
    failures: groupBy(
      sums.filter((sum) => !sum.answered),
      'sip_status',
    )
      .map(([sip_status, group]) => ({ sip_status, calls: sumOf(group, 'callCount') }))
      .toSorted((a, b) => b.calls - a.calls),
  }
}
