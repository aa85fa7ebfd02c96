import { memo, type ReactNode, type RefObject } from 'react'
import { WindowedRows } from '../table/windowed-rows'

/** Position and state that the list passes to each row. */
export interface OptionRowState {
  /** Element id, for the list's `aria-activedescendant`. */
  id: string
  index: number
  /** Number of all rows, including those not rendered. */
  count: number
  isActive: boolean
}

export interface OptionRowsProps<Row> {
  rows: readonly Row[]
  /** Prefix of the row element ids. */
  baseId: string
  /** Index of the active row, or -1. */
  activeIndex: number
  rowHeight: number
  scroller: RefObject<HTMLElement | null>
  renderRow: (row: Row, state: OptionRowState) => ReactNode
}

interface OptionRowProps<Row> extends OptionRowState, Pick<OptionRowsProps<Row>, 'renderRow'> {
  row: Row
}

const PlainOptionRow = <Row,>({ row, renderRow, ...state }: OptionRowProps<Row>) => renderRow(row, state)

/** While the list scrolls, only the rows that come into view are rendered. */
const OptionRow = memo(PlainOptionRow) as typeof PlainOptionRow

/** Rows with one active row (see useActiveRow). Long lists render only the rows in view. */
export const OptionRows = <Row extends { id: string }>(props: OptionRowsProps<Row>) => {
  const { rows, baseId, activeIndex, rowHeight, scroller, renderRow } = props
  return (
    <WindowedRows
      count={rows.length}
      rowHeight={rowHeight}
      scroller={scroller}
      render={({ indexes, heightBefore, heightAfter }) => (
        <div role="none" style={{ paddingTop: heightBefore, paddingBottom: heightAfter }}>
          {indexes.map((index) => {
            const row = rows[index]
            return row ? (
              <OptionRow
                key={row.id}
                id={`${baseId}-${index}`}
                count={rows.length}
                isActive={index === activeIndex}
                {...{ row, index, renderRow }}
              />
            ) : null
          })}
        </div>
      )}
    />
  )
}
