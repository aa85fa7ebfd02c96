import { Fragment, type ReactNode, type RefObject } from 'react'
import { Rows } from './row-window'

/** What a row of a choice knows of its place. */
export interface RowPlace {
  /** The id of its element, by which the list names the chosen one. */
  id: string
  at: number
  /** Of all rows, whether they are drawn or not. */
  count: number
  chosen: boolean
}

export interface ChoiceRowsProps<Row> {
  rows: readonly Row[]
  /** What the ids of the rows' elements begin with. */
  base: string
  /** The place of the chosen row; -1 for none. */
  at: number
  height: number
  scroller: RefObject<HTMLElement | null>
  row: (row: Row, place: RowPlace) => ReactNode
}

/** The rows of which one is chosen (see useRowChoice); of many, those in view. */
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
