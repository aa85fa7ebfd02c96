import { useEffect, useState, type RefObject } from 'react'
import type { Column, DataTableProps } from './table-props'

/** Width of the checkbox column in pixels; keep in sync with the style sheet. */
export const selectWidth = 52
/** Width of an action button, and of the space around all of them, in pixels. */
const actionButtonWidth = 30
const actionSpace = 38

/** Returns the width of the action column in pixels. */
export const getActionWidth = <Row>({ actions, maxActions = 2 }: DataTableProps<Row>): number =>
  actions ? maxActions * actionButtonWidth + actionSpace : 0

const getColumnMinWidth = ({ width, minWidth = 200 }: Pick<Column<never>, 'width' | 'minWidth'>) =>
  typeof width === 'number' ? width : minWidth

/**
 * Returns the width in pixels that keeps all columns readable. In a smaller window the table scrolls sideways.
 * `fixedWidth`: the width of the cells before and after the columns.
 */
export const getMinWidth = <Row>(columns: Column<Row>[], fixedWidth: number): number =>
  columns.reduce((sum, column) => sum + getColumnMinWidth(column), fixedWidth)

/** Returns the columns that fit, after dropping as many as necessary in `dropOrder`. */
export const fitColumns = <Row>(
  columns: Column<Row>[],
  availableWidth: number | undefined,
  fixedWidth: number,
): Column<Row>[] => {
  if (!availableWidth || getMinWidth(columns, fixedWidth) <= availableWidth) return columns
  const firstToDrop = columns.reduce<Column<Row> | undefined>(
    (candidate, column) => ((column.dropOrder ?? 0) > (candidate?.dropOrder ?? 0) ? column : candidate),
    undefined,
  )
  if (!firstToDrop) return columns
  return fitColumns(
    columns.filter((column) => column !== firstToDrop),
    availableWidth,
    fixedWidth,
  )
}

/** Width in pixels up to which a column without a width grows. */
const maxFlexibleWidth = 480

/** Returns the width of a column in pixels if the table has this width; the maximum of a width such as 'clamp(…, 310px)'. */
const getMaxWidth = ({ width }: Pick<Column<never>, 'width'>, availableWidth: number): number => {
  if (width === undefined) return maxFlexibleWidth
  if (typeof width === 'number') return width
  if (width.endsWith('%')) return (parseFloat(width) / 100) * availableWidth
  return Number(/(\d+)px\)$/.exec(width)?.[1] ?? Infinity)
}

/**
 * Returns the widths of the columns. In a window so wide that the columns without a width would exceed their maximum,
 * they get it, so that the columns stay near each other, and `isCapped` is true: the remaining space is at the end.
 */
export const getColumnWidths = <Row>(
  columns: Column<Row>[],
  availableWidth: number | undefined,
  fixedWidth: number,
): { widths: Column<Row>['width'][]; isCapped: boolean } => {
  const widths = columns.map(({ width }) => width)
  // a share of a table that scrolls would take the space of the columns without a width
  if (availableWidth && availableWidth < getMinWidth(columns, fixedWidth))
    return { widths: columns.map((column) => column.width && getColumnMinWidth(column)), isCapped: false }
  if (!availableWidth || !widths.includes(undefined)) return { widths, isCapped: false }
  const maxWidth = columns.reduce((sum, column) => sum + getMaxWidth(column, availableWidth), fixedWidth)
  return maxWidth < availableWidth
    ? { widths: widths.map((width) => width ?? maxFlexibleWidth), isCapped: true }
    : { widths, isCapped: false }
}

/** Returns the width of an element in pixels; undefined before it is measured. */
export const useWidth = (element: RefObject<HTMLElement | null>): number | undefined => {
  const [width, setWidth] = useState<number>()
  useEffect(() => {
    const target = element.current
    if (!target || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setWidth(target.clientWidth))
    observer.observe(target)
    return () => observer.disconnect()
  }, [element])
  return width
}
