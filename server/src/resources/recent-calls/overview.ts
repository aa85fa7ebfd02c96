import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import type { CallSum } from '../../ports/call-history'

const hourMs = 3_600_000

const total = (sums: readonly CallSum[], name: 'number' | 'seconds' | 'timed' | 'delay'): number =>
  sums.reduce((sum, callSum) => sum + callSum[name], 0)

/** The average of integers, rounded to three decimals because clients round again. Null if there are none. */
const average = (sum: number, count: number): number | null =>
  count > 0 ? Math.round((sum / count) * 1000) / 1000 : null

const groupBy = (sums: readonly CallSum[], name: 'hour' | 'sip_status'): [number, CallSum[]][] => {
  const groups = new Map<number, CallSum[]>()
  for (const sum of sums) {
    const group = groups.get(sum[name])
    if (group) group.push(sum)
    else groups.set(sum[name], [sum])
  }
  return [...groups].toSorted(([a], [b]) => a - b)
}

/** Summarizes calls: totals, averages, calls per hour and failures by status. */
export const overviewOf = (sums: readonly CallSum[]): CallOverview => {
  const answeredSums = sums.filter((sum) => sum.answered)
  return {
    calls: total(sums, 'number'),
    answered: total(answeredSums, 'number'),
    duration: average(total(answeredSums, 'seconds'), total(answeredSums, 'number')),
    post_dial_delay: average(total(answeredSums, 'delay'), total(answeredSums, 'timed')),
    hours: groupBy(sums, 'hour').map(([hour, group]) => ({
      start: new Date(hour * hourMs).toISOString(),
      calls: total(group, 'number'),
      answered: total(
        group.filter((sum) => sum.answered),
        'number',
      ),
      seconds: total(group, 'seconds'),
    })),
    failures: groupBy(
      sums.filter((sum) => !sum.answered),
      'sip_status',
    )
      .map(([sip_status, group]) => ({ sip_status, calls: total(group, 'number') }))
      .toSorted((a, b) => b.calls - a.calls),
  }
}
