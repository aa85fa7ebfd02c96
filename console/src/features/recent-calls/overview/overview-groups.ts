import type { CallOverview } from '@trunkline/contract/shapes/recent-call'

type Counts = Pick<CallOverview, 'calls' | 'answered'>
type Group = NonNullable<CallOverview['groups']>[number]

export interface RankedGroup extends Group {
  /** The share of answered calls is less than half of that of all other calls. */
  isOutlier: boolean
}

/** With fewer calls than this, the share of answered calls is not significant. */
const minCalls = 5

export const getAnsweredShare = ({ calls, answered }: Counts): number => (calls > 0 ? answered / calls : 0)

const isOutlier = (group: Counts, total: Counts): boolean => {
  const otherCalls = { calls: total.calls - group.calls, answered: total.answered - group.answered }
  if (group.calls < minCalls || otherCalls.calls < minCalls) return false
  return getAnsweredShare(group) < getAnsweredShare(otherCalls) / 2
}

const getRank = (group: RankedGroup): number => (group.value === null ? 2 : group.isOutlier ? 0 : 1)

/** Returns outliers first, because they may be the cause of a problem, then the groups with the most calls. */
export const rankGroups = (groups: readonly Group[], total: Counts): RankedGroup[] =>
  groups
    .map((group) => ({ ...group, isOutlier: group.value !== null && isOutlier(group, total) }))
    .toSorted((a, b) => getRank(a) - getRank(b) || b.calls - a.calls)
