import type { Column } from './data-table'

export interface EventColumn<Row> extends Omit<Column<Row>, 'width'> {
  /** Pixels; columns without it share the room in proportion to their `least`. */
  width?: number
  /** Without it for any row on the page, the others get the room of the column. */
  hasContent?: (row: Row) => boolean
}

/** Of a column with neither width nor least. */
const defaultLeast = 104

/** Where there is little room, each column has less around its words. */
const lessRoom = (pixels: number, columns: number) => `${pixels}px - ${columns} * var(--less)`

/** The CSS widths of columns. Percentages would leave room to the columns that have a width in pixels. */
export const widthsOf = <Row>(columns: EventColumn<Row>[]) => {
  const fixed = columns.flatMap(({ width }) => width ?? [])
  const flexible = columns.flatMap(({ width, least = defaultLeast }) => (width === undefined ? least : []))
  const sum = (pixels: number[]) => pixels.reduce((total, each) => total + each, 0)
  const minWidth = lessRoom(sum([...fixed, ...flexible]), columns.length)
  const room = `max(100cqw, ${minWidth}) - (${lessRoom(sum(fixed), fixed.length)})`
  return {
    /** Of the table. */
    minWidth: `calc(${minWidth})`,
    widthOf: ({ width, least = defaultLeast }: EventColumn<Row>) =>
      width === undefined ? `calc((${room}) * ${least / sum(flexible)})` : `calc(${lessRoom(width, 1)})`,
  }
}
