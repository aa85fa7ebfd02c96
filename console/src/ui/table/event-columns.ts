import type { Column } from './table-props'

export interface EventColumn<Row> extends Omit<Column<Row>, 'width'> {
  /** Pixels. Columns without a width share the remaining space in proportion to their `minWidth`. */
  width?: number
  /** Hides the column if this is false for every row on the page. */
  hasContent?: (row: Row) => boolean
}

/** Minimum width of a column that sets neither `width` nor `minWidth`. */
const defaultMinWidth = 104

/** In a small window, the style sheet sets `--less` to reduce the padding of each column. */
const lessRoom = (pixels: number, columns: number) => `${pixels}px - ${columns} * var(--less)`

/** Returns the CSS widths of the columns. With percentages, columns of a fixed pixel width would grow too. */
export const getColumnWidths = <Row>(columns: EventColumn<Row>[]) => {
  const fixed = columns.flatMap(({ width }) => width ?? [])
  const flexible = columns.flatMap(({ width, minWidth = defaultMinWidth }) => (width === undefined ? minWidth : []))
  const sum = (pixels: number[]) => pixels.reduce((total, each) => total + each, 0)
  const tableWidth = lessRoom(sum([...fixed, ...flexible]), columns.length)
  const room = `max(100cqw, ${tableWidth}) - (${lessRoom(sum(fixed), fixed.length)})`
  return {
    /** Minimum width of the table. */
    minWidth: `calc(${tableWidth})`,
    widthOf: ({ width, minWidth = defaultMinWidth }: EventColumn<Row>) =>
      width === undefined ? `calc((${room}) * ${minWidth / sum(flexible)})` : `calc(${lessRoom(width, 1)})`,
  }
}
