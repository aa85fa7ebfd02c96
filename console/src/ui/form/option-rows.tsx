import { Fragment, type ReactNode, type RefObject } from 'react'
import { Rows } from '../table/row-window'

/** Position and state that the list passes to each row. */
export interface RowPlace {
  /** Element id, for the list's `aria-activedescendant`. */
  id: string
  at: number
  /** Number of all rows, including those not rendered. */
  count: number
  chosen: boolean
}

export interface ChoiceRowsProps<Row> {
  rows: readonly Row[]
  /** Prefix of the row element ids. */
  base: string
  /** Index of the active row, or -1. */
  at: number
  height: number
  scroller: RefObject<HTMLElement | null>
  row: (row: Row, place: RowPlace) => ReactNode
}

/** Rows with one active row (see useRowChoice). Long lists render only the rows in view. */
export const ChoiceRows = <Row extends { id: string }>(props: ChoiceRowsProps<Row>) => {
  const { rows, base, at, height, scroller, row } = props
  return (
    <Rows
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
