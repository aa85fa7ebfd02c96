import { describe, expect, it } from 'vitest'
import { rankGroups } from './overview-groups'

const createGroup = (value: string | null, calls: number, answered: number) => ({ value, calls, answered })
const rankNames = (groups: ReturnType<typeof createGroup>[]) => {
  const sum = (name: 'calls' | 'answered') => groups.reduce((total, entry) => total + entry[name], 0)
  const totals = { calls: sum('calls'), answered: sum('answered') }
  return rankGroups(groups, totals).map(({ value, isOutlier }) => (isOutlier ? `${value}!` : value))
}

describe('rankGroups', () => {
  it('sorts by the number of calls, with all other calls last', () => {
    expect(
      rankNames([createGroup(null, 500, 400), createGroup('small', 20, 16), createGroup('large', 300, 250)]),
    ).toEqual(['large', 'small', null])
  })

  it('puts groups first if their calls are answered far less often than the rest', () => {
    expect(
      rankNames([createGroup('fine', 900, 700), createGroup('failing', 30, 2), createGroup('poor', 100, 60)]),
    ).toEqual(['failing!', 'fine', 'poor'])
  })

  it('marks no outlier if all groups fail equally', () => {
    expect(rankNames([createGroup('one', 90, 3), createGroup('two', 60, 2)])).toEqual(['one', 'two'])
    expect(rankNames([createGroup('one', 90, 0), createGroup('two', 60, 0)])).toEqual(['one', 'two'])
  })

  it('marks neither a group of a few calls nor the only group as an outlier', () => {
    expect(rankNames([createGroup('fine', 900, 700), createGroup('few', 4, 0)])).toEqual(['fine', 'few'])
    expect(rankNames([createGroup('only', 90, 0)])).toEqual(['only'])
  })
})
