import type { Column } from './data-table'

export interface EventColumn<Row> extends Omit<Column<Row>, 'width'> {
  /** Pixels. Columns without a width share the remaining space in proportion to their `least`. */
  width?: number
  /** Hides the column if this is false for every row on the page. */
  hasContent?: (row: Row) => boolean
}

/** Minimum width of a column that sets neither `width` nor `least`. */
const defaultLeast = 104

/** In a small window, the style sheet sets `--less` to reduce the padding of each column. */
const lessRoom = (pixels: number, columns: number) => `${pixels}px - ${columns} * var(--less)`

/** Returns the CSS widths of the columns. With percentages, columns of a fixed pixel width would grow too. */
export const getColumnWidths = <Row>(columns: EventColumn<Row>[]) => {
  const fixed = columns.flatMap(({ width }) => width ?? [])
  const flexible = columns.flatMap(({ width, least = defaultLeast }) => (width === undefined ? least : []))
  const sum = (pixels: number[]) => pixels.reduce((total, each) => total + each, 0)
  const minWidth = lessRoom(sum([...fixed, ...flexible]), columns.length)
  const room = `max(100cqw, ${minWidth}) - (${lessRoom(sum(fixed), fixed.length)})`
  return {
    /** Minimum width of the table. */
    minWidth: `calc(${minWidth})`,
    widthOf: ({ width, least = defaultLeast }: EventColumn<Row>) =>
      width === undefined ? `calc((${room}) * ${least / sum(flexible)})` : `calc(${lessRoom(width, 1)})`,
  }
}
