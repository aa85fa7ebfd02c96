import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './table.module.css'
import type { Column } from './table-props'

export interface SortState {
  direction: 'ascending' | 'descending' | 'none'
  /** Tooltip of the button. */
  title?: string
  /** Sorts by this column, or reverses its direction. */
  onToggle: () => void
}

const SortButton = ({ direction, title, onToggle, children }: SortState & { children: ReactNode }) => {
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <button type="button" className={css.sort} title={title} onClick={onToggle}>
      {children}
      <Arrow size={12} strokeWidth={2.25} aria-hidden="true" data-active={direction !== 'none' || undefined} />
    </button>
  )
}

export interface HeadCellProps<Row> {
  column: Omit<Column<Row>, 'width'>
  width: number | string | undefined
  /** Present if the heading sorts the rows. */
  sort?: SortState | undefined
}

/** The heading of a column. */
export const HeadCell = <Row,>({ column, width, sort }: HeadCellProps<Row>) => (
  <th scope="col" style={{ width }} data-align={column.align} aria-sort={sort?.direction}>
    {sort ? (
      <SortButton {...sort}>{column.head}</SortButton>
    ) : (
      <span className={column.headHidden ? 'visually-hidden' : undefined} title={column.note}>
        {column.head}
      </span>
    )}
  </th>
)

/** The value of a row in a column. */
export const BodyCell = <Row,>({ column, children }: { column: Omit<Column<Row>, 'width'>; children: ReactNode }) => (
  <td
    dir="auto"
    data-align={column.align}
    data-mono={column.mono || undefined}
    data-muted-text={column.mutedText || undefined}
  >
    {children}
  </td>
)
