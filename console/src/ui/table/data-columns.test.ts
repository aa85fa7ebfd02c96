import { describe, expect, it } from 'vitest'
import { getColumnWidths } from './data-columns'
import type { Column } from './table-props'

const createColumns = (...widths: Column<object>['width'][]): Column<object>[] =>
  widths.map((width, index) => ({ id: String(index), head: '', cell: () => null, ...(width ? { width } : {}) }))

describe('getColumnWidths', () => {
  const columns = createColumns(undefined, 112, '20%', 'clamp(130px, 100vw - 1340px, 310px)')

  it('lets a column without a width take the remaining space', () => {
    const unchanged = { widths: [undefined, 112, '20%', 'clamp(130px, 100vw - 1340px, 310px)'], isCapped: false }
    expect(getColumnWidths(columns, 1200, 150)).toEqual(unchanged)
    expect(getColumnWidths(columns, undefined, 150)).toEqual(unchanged)
  })

  it('limits the width of this column in a wide window', () => {
    const { widths, isCapped } = getColumnWidths(columns, 2320, 150)
    expect(isCapped).toBe(true)
    expect(widths[0]).toBe(480)
    expect(widths.slice(1)).toEqual(columns.slice(1).map(({ width }) => width))
  })

  it('keeps the minimum of the columns with a width in a table that scrolls sideways', () => {
    expect(getColumnWidths(columns, 861, 150)).toEqual({ widths: [undefined, 112, 200, 200], isCapped: false })
    expect(getColumnWidths(columns, 862, 150).widths[2]).toBe('20%')
  })

  it('keeps columns of which all have a width', () => {
    expect(getColumnWidths(createColumns(112, '20%'), 2320, 150)).toEqual({ widths: [112, '20%'], isCapped: false })
  })

  it('keeps columns of an unknown width', () => {
    expect(getColumnWidths(createColumns(undefined, '30vw'), 2320, 150).isCapped).toBe(false)
  })
})
