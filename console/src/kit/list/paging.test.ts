import { describe, expect, it } from 'vitest'
import { paginate, sortRows } from './paging'

const by = (values: unknown[], desc = false) => sortRows(values, (value) => value, desc)

describe('sorted', () => {
  it('ignores case, and sorts 2 before 10', () => {
    expect(by(['b10', 'B2', 'a'])).toEqual(['a', 'B2', 'b10'])
    expect(by(['a', 'b'], true)).toEqual(['b', 'a'])
  })
  it('sorts numbers by value', () => expect(by([10, 9, 100])).toEqual([9, 10, 100]))
  it('sorts empty values last', () =>
    expect(by(['b', null, 'a', '', undefined])).toEqual(['a', 'b', null, '', undefined]))
  it('does not change the original array', () => {
    const rows = ['b', 'a']
    by(rows)
    expect(rows).toEqual(['b', 'a'])
  })
})

describe('paged', () => {
  const rows = Array.from({ length: 60 }, (_, at) => at)
  it.each([
    [1, 25, 0, 25],
    [3, 25, 50, 10],
    [4, 25, undefined, 0],
  ])('returns page %i at page size %i', (page, size, first, count) => {
    const cut = paginate(rows, page, size)
    expect([cut.rows[0], cut.rows.length, cut.total]).toEqual([first, count, 60])
  })
})
