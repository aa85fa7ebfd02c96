import type { RowSelection } from './table-props'
import { CheckMark } from '../check-mark'

interface SelectAllBoxProps<Row> {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  selection: RowSelection<Row>
}

/** The checkbox that selects all rows on the page. */
export const SelectAllBox = <Row,>({
  rows,
  rowKey,
  selection: { selected, onChange, canSelect },
}: SelectAllBoxProps<Row>) => {
  const keys = rows.filter((row) => canSelect?.(row) ?? true).map(rowKey)
  const selectedCount = keys.filter((key) => selected.has(key)).length
  const isAllSelected = keys.length > 0 && selectedCount === keys.length
  const toggle = () => {
    const next = new Set(selected)
    for (const key of keys)
      if (isAllSelected) next.delete(key)
      else next.add(key)
    onChange(next)
  }
  return (
    <CheckMark
      label="Select all on this page"
      checked={isAllSelected}
      mixed={selectedCount > 0 && !isAllSelected}
      disabled={keys.length === 0}
      onChange={toggle}
    />
  )
}

interface SelectRowBoxProps<Row> {
  row: Row
  rowKey: (row: Row) => string
  rowName: (row: Row) => string
  selection: RowSelection<Row>
}

/** The checkbox that selects one row. */
export const SelectRowBox = <Row,>({
  row,
  rowKey,
  rowName,
  selection: { selected, onChange, canSelect },
}: SelectRowBoxProps<Row>) => {
  if (canSelect && !canSelect(row)) return null
  const key = rowKey(row)
  const toggle = () => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onChange(next)
  }
  return (
    <CheckMark label={`Select ${rowName(row)}`} aria-keyshortcuts="x" checked={selected.has(key)} onChange={toggle} />
  )
}
