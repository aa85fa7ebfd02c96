import { describe, expect, it } from 'vitest'
import { buildOverviewGroups } from './overview-groups'

const group = (value: string, callCount: number, answeredCount: number) => ({ value, callCount, answeredCount })

describe('the groups of an overview', () => {
  it('start with the most unanswered calls, and end with all other calls', () => {
    const groups = [group('quiet', 5, 5), group('good', 100, 90), group('busy', 9, 9), group('bad', 40, 2)]
    expect(buildOverviewGroups(groups, { calls: 160, answered: 109 })).toEqual([
      { value: 'bad', calls: 40, answered: 2 },
      { value: 'good', calls: 100, answered: 90 },
      { value: 'busy', calls: 9, answered: 9 },
      { value: 'quiet', calls: 5, answered: 5 },
      { value: null, calls: 6, answered: 3 },
    ])
  })

  it('are at most 100, and one for all other calls', () => {
    const groups = Array.from({ length: 120 }, (_, index) => group(`${index}`, index + 1, 0))
    const largestGroups = buildOverviewGroups(groups, { calls: 7260, answered: 0 })
    expect(largestGroups).toHaveLength(101)
    expect(largestGroups.at(-1)).toEqual({ value: null, calls: 210, answered: 0 })
  })

  it('never count a negative number of other calls, even if calls were written between the two queries', () => {
    expect(buildOverviewGroups([group('one', 3, 3)], { calls: 2, answered: 2 })).toEqual([
      { value: 'one', calls: 3, answered: 3 },
    ])
    expect(buildOverviewGroups([group('one', 3, 3)], { calls: 5, answered: 2 }).at(-1)).toEqual({
      value: null,
      calls: 2,
      answered: 0,
    })
  })
})
