import type { CallSum, TrunkCount } from '../../ports/call-history'

/** A trunk that fails now. */
export interface FailingTrunk {
  trunk: string
  /** The hour of the first failure, in hours since 1970. */
  firstHour: number
  /** The SIP statuses of the failures in that hour. */
  firstStatuses: number[]
  failedCallCount: number
}

/** The state of a trunk is judged by at least this many of its latest calls, if there are as many. */
const minRecentCalls = 10
/** Fewer failures than this may be chance. */
const minFailures = 3
/** The share of failed calls from which a trunk is failing. */
const failingShare = 0.2

/**
 * Does this status say that the carrier does not work? Other statuses of unanswered calls, such as 486 and 404, are about the
 * number that was called.
 */
export const isCarrierFailure = ({ answered, sip_status }: Pick<CallSum, 'answered' | 'sip_status'>): boolean =>
  !answered && ([401, 403, 407, 408].includes(sip_status) || (sip_status >= 500 && sip_status < 600))

interface HourCounts {
  hour: number
  calls: number
  failed: number
}

/** Sums up the calls of a trunk by hour, the latest hour first. */
const sumByHour = (counts: readonly TrunkCount[]): HourCounts[] => {
  const hours = new Map<number, HourCounts>()
  for (const count of counts) {
    const hour = hours.get(count.hour) ?? { hour: count.hour, calls: 0, failed: 0 }
    hour.calls += count.callCount
    hour.failed += isCarrierFailure(count) ? count.callCount : 0
    hours.set(count.hour, hour)
  }
  return [...hours.values()].toSorted((a, b) => b.hour - a.hour)
}

const isFailing = ({ calls, failed }: Pick<HourCounts, 'calls' | 'failed'>) =>
  failed >= failingShare * calls && failed > 0

/** Returns the hours in which a trunk has failed until now, the latest first; none if it works. Expects the latest hour first. */
const findFailingHours = (hours: readonly HourCounts[]): HourCounts[] => {
  const recent = { calls: 0, failed: 0 }
  let index = 0
  for (; index < hours.length && recent.calls < minRecentCalls; index += 1) {
    recent.calls += hours[index]!.calls
    recent.failed += hours[index]!.failed
  }
  if (recent.failed < minFailures || !isFailing(recent)) return []
  while (index < hours.length && isFailing(hours[index]!)) index += 1
  return hours.slice(0, index).filter(({ failed }) => failed > 0)
}

const groupByTrunk = (counts: readonly TrunkCount[]) => {
  const groups = new Map<string, TrunkCount[]>()
  for (const count of counts) {
    const group = groups.get(count.trunk)
    if (group) group.push(count)
    else groups.set(count.trunk, [count])
  }
  return [...groups]
}

/** Returns the trunks that fail now, from the number of their calls by hour. The one with the most failures is first. */
export const findFailingTrunks = (counts: readonly TrunkCount[]): FailingTrunk[] =>
  groupByTrunk(counts)
    .flatMap(([trunk, trunkCounts]): FailingTrunk[] => {
      const failingHours = findFailingHours(sumByHour(trunkCounts))
      const firstHour = failingHours.at(-1)?.hour
      if (firstHour === undefined) return []
      const firstFailures = trunkCounts.filter((count) => count.hour === firstHour && isCarrierFailure(count))
      return [
        {
          trunk,
          firstHour,
          firstStatuses: [...new Set(firstFailures.map(({ sip_status }) => sip_status))],
          failedCallCount: failingHours.reduce((sum, { failed }) => sum + failed, 0),
        },
      ]
    })
    .toSorted((a, b) => b.failedCallCount - a.failedCallCount)
