import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import type { CallGroup } from '../../ports/call-history'

export type OverviewGroup = NonNullable<CallOverview['groups']>[number]

const maxGroups = 100

const countUnanswered = ({ callCount, answeredCount }: CallGroup) => callCount - answeredCount

/**
 * The groups with the most unanswered calls. All other calls follow as one group without a value: calls of further groups, of
 * deleted accounts, and without trunk.
 */
export const buildOverviewGroups = (
  groups: readonly CallGroup[],
  { calls, answered }: Pick<CallOverview, 'calls' | 'answered'>,
): OverviewGroup[] => {
  const largestGroups = groups
    .toSorted((a, b) => countUnanswered(b) - countUnanswered(a) || b.callCount - a.callCount)
    .slice(0, maxGroups)
    .map((group): OverviewGroup => ({ value: group.value, calls: group.callCount, answered: group.answeredCount }))
  const sumOfGroups = (name: 'calls' | 'answered') => largestGroups.reduce((total, group) => total + group[name], 0)
  // The groups may contain more calls than the totals, because calls are written between the two queries.
  const remainder = { calls: calls - sumOfGroups('calls'), answered: Math.max(0, answered - sumOfGroups('answered')) }
  return remainder.calls > 0
    ? [...largestGroups, { value: null, ...remainder, answered: Math.min(remainder.calls, remainder.answered) }]
    : largestGroups
}
