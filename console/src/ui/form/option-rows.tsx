import { Fragment, type ReactNode, type RefObject } from 'react'
import { WindowedRows } from '../table/windowed-rows'

/** Position and state that the list passes to each row. */
export interface OptionRowState {
  /** Element id, for the list's `aria-activedescendant`. */
  id: string
  at: number
  /** Number of all rows, including those not rendered. */
  count: number
  chosen: boolean
}

export interface OptionRowsProps<Row> {
  rows: readonly Row[]
  /** Prefix of the row element ids. */
  base: string
  /** Index of the active row, or -1. */
  at: number
  height: number
  scroller: RefObject<HTMLElement | null>
  row: (row: Row, place: OptionRowState) => ReactNode
}

/** Rows with one active row (see useRowSelection). Long lists render only the rows in view. */
export const OptionRows = <Row extends { id: string }>(props: OptionRowsProps<Row>) => {
  const { rows, base, at, height, scroller, row } = props
  return (
    <WindowedRows
      count={rows.length}
      height={height}
      scroller={scroller}
      draw={(part) => (
        <div role="none" style={{ paddingTop: part.before, paddingBottom: part.after }}>
          {part.at.map((place) => {
            const one = rows[place]
            if (!one) return null
            const here = { id: `${base}-${place}`, at: place, count: rows.length, chosen: place === at }
            return <Fragment key={one.id}>{row(one, here)}</Fragment>
          })}
        </div>
      )}
    />
  )
}
