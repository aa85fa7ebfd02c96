import type { CallOverview } from '@trunkline/contract/shapes/recent-call'
import type { CallGroup } from '../../ports/call-history'

export type OverviewGroup = NonNullable<CallOverview['groups']>[number]

const maxGroups = 100

const countUnanswered = ({ number, answered }: CallGroup) => number - answered

/**
 * The groups with the most calls that were not answered. All other calls follow as a group without a value: those of further
 * groups, of deleted accounts, and of no trunk.
 */
export const overviewGroups = (
  groups: readonly CallGroup[],
  { calls, answered }: Pick<CallOverview, 'calls' | 'answered'>,
): OverviewGroup[] => {
  const largestGroups = groups
    .toSorted((a, b) => countUnanswered(b) - countUnanswered(a) || b.number - a.number)
    .slice(0, maxGroups)
    .map((group): OverviewGroup => ({ value: group.value, calls: group.number, answered: group.answered }))
  const sum = (name: 'calls' | 'answered') => largestGroups.reduce((total, group) => total + group[name], 0)
  // More calls may have been written between the two queries.
  const remainder = { calls: calls - sum('calls'), answered: Math.max(0, answered - sum('answered')) }
  return remainder.calls > 0
    ? [...largestGroups, { value: null, ...remainder, answered: Math.min(remainder.calls, remainder.answered) }]
    : largestGroups
}
