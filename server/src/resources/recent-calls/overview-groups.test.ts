import { describe, expect, it } from 'vitest'
import { overviewGroups } from './overview-groups'

const group = (value: string, number: number, answered: number) => ({ value, number, answered })

describe('the groups of an overview', () => {
  it('have those with the most unanswered calls first, and all other calls at the end', () => {
    const groups = [group('quiet', 5, 5), group('good', 100, 90), group('busy', 9, 9), group('bad', 40, 2)]
    expect(overviewGroups(groups, { calls: 160, answered: 109 })).toEqual([
      { value: 'bad', calls: 40, answered: 2 },
      { value: 'good', calls: 100, answered: 90 },
      { value: 'busy', calls: 9, answered: 9 },
      { value: 'quiet', calls: 5, answered: 5 },
      { value: null, calls: 6, answered: 3 },
    ])
  })

  it('are at most a hundred', () => {
    const groups = Array.from({ length: 120 }, (_, index) => group(`${index}`, index + 1, 0))
    const shown = overviewGroups(groups, { calls: 7260, answered: 0 })
    expect(shown).toHaveLength(101)
    expect(shown.at(-1)).toEqual({ value: null, calls: 210, answered: 0 })
  })

  it('have no rest below nothing where calls were written meanwhile', () => {
    expect(overviewGroups([group('one', 3, 3)], { calls: 2, answered: 2 })).toEqual([
      { value: 'one', calls: 3, answered: 3 },
    ])
    expect(overviewGroups([group('one', 3, 3)], { calls: 5, answered: 2 }).at(-1)).toEqual({
      value: null,
      calls: 2,
      answered: 0,
    })
  })
})
