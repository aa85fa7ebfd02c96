import type { ReactNode, RefObject } from 'react'
import { setCutCellTitle } from './cell-title'
import type { RowWindow } from './row-window'
import css from './table.module.css'
import { WindowedRows, createFullWindow } from './windowed-rows'

const skeletonRowCount = 24
const skeletonCardCount = 10
/** A longer table scrolls through many rows, which are then painted one by one. */
const maxShortTableRows = 30

const getSkeletonWidth = (row: number, column: number) => `${48 + ((row * 7 + column * 13) % 30)}%`

/** How a long list renders only the rows in view. */
export interface RowWindowing {
  /** Estimated height of a row in pixels, used until it is measured. */
  rowHeight: number
  scroller: RefObject<HTMLElement | null>
}

interface RowsProps<Row> {
  rows: readonly Row[]
  /** Shows a skeleton instead of rows. */
  loading: boolean | undefined
  /** Absent: all rows are rendered. */
  windowing?: RowWindowing
}

export interface TableRowsProps<Row> extends RowsProps<Row> {
  columnCount: number
  /** Cells before and after the columns, for a checkbox and for buttons. */
  leadingCells?: number
  trailingCells?: number
  /** Renders one or more `tr`. */
  renderRow: (row: Row, index: number) => ReactNode
}

const SkeletonRows = ({ columnCount, leadingCells, trailingCells }: Record<CellCount, number>) =>
  Array.from({ length: skeletonRowCount }, (_, row) => (
    <tr key={row} className={css.row} aria-hidden="true">
      {leadingCells ? <td /> : null}
      {Array.from({ length: columnCount }, (_cell, column) => (
        <td key={column}>
          <span className={css.skeleton} style={{ width: getSkeletonWidth(row, column) }} />
        </td>
      ))}
      {trailingCells ? <td /> : null}
    </tr>
  ))

type CellCount = 'columnCount' | 'leadingCells' | 'trailingCells'

/** Takes the space of the rows above or below those in view. */
const Spacer = ({ height, columnSpan }: { height: number; columnSpan: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className={css.spacer}>
      <td colSpan={columnSpan} style={{ height }} />
    </tr>
  ) : null

/** The body of a table. */
export const TableRows = <Row,>(props: TableRowsProps<Row>) => {
  const { rows, loading, windowing, columnCount, leadingCells = 0, trailingCells = 0, renderRow } = props
  const columnSpan = leadingCells + columnCount + trailingCells
  const renderWindow = ({ indexes, heightBefore, heightAfter }: RowWindow) => (
    <>
      <Spacer height={heightBefore} columnSpan={columnSpan} />
      {indexes.map((index) => (rows[index] === undefined ? null : renderRow(rows[index], index)))}
      <Spacer height={heightAfter} columnSpan={columnSpan} />
    </>
  )
  return (
    <tbody data-long={rows.length > maxShortTableRows || undefined} onPointerMove={setCutCellTitle}>
      {loading ? <SkeletonRows {...{ columnCount, leadingCells, trailingCells }} /> : null}
      {loading ? null : <RowsInView rows={rows} windowing={windowing} render={renderWindow} />}
    </tbody>
  )
}

export interface CardRowsProps<Row> extends RowsProps<Row> {
  /** Renders one `li`. `measure` is the ref of a card whose height is measured. */
  renderCard: (row: Row, index: number, measure: RowWindow['measure']) => ReactNode
}

const SkeletonCards = () =>
  Array.from({ length: skeletonCardCount }, (_, row) => (
    <li key={row} className={css.skeletonCard} aria-hidden="true">
      {[0, 1].map((line) => (
        <span key={line} className={css.skeleton} style={{ width: getSkeletonWidth(row, line) }} />
      ))}
    </li>
  ))

/** The cards that replace a table in a narrow window. */
export const CardRows = <Row,>({ rows, loading, windowing, renderCard }: CardRowsProps<Row>) =>
  loading ? (
    <ul>
      <SkeletonCards />
    </ul>
  ) : (
    <RowsInView
      rows={rows}
      windowing={windowing}
      render={({ indexes, heightBefore, heightAfter, measure }) => (
        <ul style={{ paddingTop: heightBefore, paddingBottom: heightAfter }}>
          {indexes.map((index) => (rows[index] === undefined ? null : renderCard(rows[index], index, measure)))}
        </ul>
      )}
    />
  )

interface RowsInViewProps {
  rows: readonly unknown[]
  windowing: RowWindowing | undefined
  render: (rowWindow: RowWindow) => ReactNode
}

const RowsInView = ({ rows, windowing, render }: RowsInViewProps) =>
  windowing ? (
    <WindowedRows count={rows.length} rowHeight={windowing.rowHeight} scroller={windowing.scroller} render={render} />
  ) : (
    render(createFullWindow(rows.length))
  )
