import type { Column } from './table-props'

export interface EventColumn<Row> extends Omit<Column<Row>, 'width'> {
  /** Pixels. Columns without a width share the remaining space in proportion to their `minWidth`. */
  width?: number
  /** Hides the column if this is false for every row on the page. */
  hasContent?: (row: Row) => boolean
}

/** Minimum width of a column that sets neither `width` nor `minWidth`. */
const defaultMinWidth = 104

/** In a small window, the style sheet sets `--column-shrink` to reduce the padding of each column. */
const toShrinkableWidth = (pixels: number, columnCount: number) => `${pixels}px - ${columnCount} * var(--column-shrink)`

/** Returns the CSS widths of the columns. With percentages, columns of a fixed pixel width would grow too. */
export const getColumnWidths = <Row>(columns: EventColumn<Row>[]) => {
  const fixedWidths = columns.flatMap(({ width }) => width ?? [])
  const flexibleWidths = columns.flatMap(({ width, minWidth = defaultMinWidth }) =>
    width === undefined ? minWidth : [],
  )
  const sum = (pixels: number[]) => pixels.reduce((total, width) => total + width, 0)
  const tableWidth = toShrinkableWidth(sum([...fixedWidths, ...flexibleWidths]), columns.length)
  const availableWidth = `max(var(--list-width, 100cqw), ${tableWidth}) - (${toShrinkableWidth(sum(fixedWidths), fixedWidths.length)})`
  return {
    /** Minimum width of the table. */
    minWidth: `calc(${tableWidth})`,
    getWidth: ({ width, minWidth = defaultMinWidth }: EventColumn<Row>) =>
      width === undefined
        ? `calc((${availableWidth}) * ${minWidth / sum(flexibleWidths)})`
        : `calc(${toShrinkableWidth(width, 1)})`,
  }
}
