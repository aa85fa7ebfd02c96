import type { RowSelection } from './table-props'
import { CheckMark } from '../check-mark'

interface AllProps<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  selection: RowSelection<Row>
}

const All = <Row,>({ rows, rowKey, selection: { selected, onChange, canSelect } }: AllProps<Row>) => {
  const keys = rows.filter((row) => canSelect?.(row) ?? true).map(rowKey)
  const on = keys.filter((key) => selected.has(key)).length
  const all = keys.length > 0 && on === keys.length
  const toggle = () => {
    const next = new Set(selected)
    for (const key of keys)
      if (all) next.delete(key)
      else next.add(key)
    onChange(next)
  }
  return (
    <CheckMark
      label="Select all on this page"
      checked={all}
      mixed={on > 0 && !all}
      disabled={keys.length === 0}
      onChange={toggle}
    />
  )
}

interface OneProps<Row> {
  row: Row
  rowKey: (row: Row) => string
  rowName: (row: Row) => string
  selection: RowSelection<Row>
}

const One = <Row,>({ row, rowKey, rowName, selection: { selected, onChange, canSelect } }: OneProps<Row>) => {
  if (canSelect && !canSelect(row)) return null
  const key = rowKey(row)
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onChange(next)
  }
  return <CheckMark label={`Select ${rowName(row)}`} checked={selected.has(key)} onChange={toggle} />
}

/** The checkboxes that select rows. */
export const SelectBox = { All, One }
