import { describe, expect, it } from 'vitest'
import { rankGroups } from './overview-groups'

const group = (value: string | null, calls: number, answered: number) => ({ value, calls, answered })
const rankedNames = (groups: ReturnType<typeof group>[]) => {
  const sum = (name: 'calls' | 'answered') => groups.reduce((total, entry) => total + entry[name], 0)
  const totals = { calls: sum('calls'), answered: sum('answered') }
  return rankGroups(groups, totals).map(({ value, isOutlier }) => (isOutlier ? `${value}!` : value))
}

describe('rankGroups', () => {
  it('sorts by the number of calls, with all other calls last', () => {
    expect(rankedNames([group(null, 500, 400), group('small', 20, 16), group('large', 300, 250)])).toEqual([
      'large',
      'small',
      null,
    ])
  })

  it('puts groups first if their calls are answered far less often than the rest', () => {
    expect(rankedNames([group('fine', 900, 700), group('failing', 30, 2), group('poor', 100, 60)])).toEqual([
      'failing!',
      'fine',
      'poor',
    ])
  })

  it('marks no outlier if all groups fail equally', () => {
    expect(rankedNames([group('one', 90, 3), group('two', 60, 2)])).toEqual(['one', 'two'])
    expect(rankedNames([group('one', 90, 0), group('two', 60, 0)])).toEqual(['one', 'two'])
  })

  it('marks neither a group of a few calls nor the only group as an outlier', () => {
    expect(rankedNames([group('fine', 900, 700), group('few', 4, 0)])).toEqual(['fine', 'few'])
    expect(rankedNames([group('only', 90, 0)])).toEqual(['only'])
  })
})
