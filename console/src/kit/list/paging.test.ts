import { describe, expect, it } from 'vitest'
import { paginate, sortRows } from './paging'

const sortValues = (values: unknown[], desc = false) => sortRows(values, (value) => value, desc)

describe('sortRows', () => {
  it('ignores case, and sorts 2 before 10', () => {
    expect(sortValues(['b10', 'B2', 'a'])).toEqual(['a', 'B2', 'b10'])
    expect(sortValues(['a', 'b'], true)).toEqual(['b', 'a'])
  })
  it('sorts numbers by value', () => expect(sortValues([10, 9, 100])).toEqual([9, 10, 100]))
  it('sorts empty values last', () =>
    expect(sortValues(['b', null, 'a', '', undefined])).toEqual(['a', 'b', null, '', undefined]))
  it('does not change the original array', () => {
    const rows = ['b', 'a']
    sortValues(rows)
    expect(rows).toEqual(['b', 'a'])
  })
})

describe('paginate', () => {
  const rows = Array.from({ length: 60 }, (_, index) => index)
  it.each([
    { page: 1, firstRow: 0, rowCount: 25 },
    { page: 3, firstRow: 50, rowCount: 10 },
    { page: 4, firstRow: undefined, rowCount: 0 },
  ])('returns $rowCount of 60 rows as page $page of 25 rows each', ({ page, firstRow, rowCount }) => {
    const result = paginate(rows, page, 25)
    expect([result.rows[0], result.rows.length, result.total]).toEqual([firstRow, rowCount, 60])
  })
})
