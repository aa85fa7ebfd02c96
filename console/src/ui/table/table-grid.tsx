import { ArrowDown, ArrowUp } from 'lucide-react'
import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { setCutCellTitle } from './cell-title'
import type { Column, DataTableProps, Sort } from './table-props'
import { moveBetweenRows, rowNavigationAttribute } from './row-navigation'
import { WindowedRows } from './windowed-rows'
import { SelectBox } from './select-box'
import css from './table-grid.module.css'

const rowHeight = 36
/** Width of the checkbox column; keep in sync with the style sheet. */
const boxWidth = 52
const skeletonRows = 24

const ariaSort = (sort: Sort | undefined, id: string) =>
  sort?.by === id ? (sort.desc ? 'descending' : 'ascending') : 'none'

const Head = <Row,>({ column, sort, onSort }: { column: Column<Row>; sort?: Sort; onSort?: (sort: Sort) => void }) => {
  const canSort = column.sortable && onSort
  const by = sort?.by === column.id
  const Arrow = by && sort.desc ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      style={{ width: column.width }}
      data-align={column.align}
      aria-sort={canSort ? ariaSort(sort, column.id) : undefined}
    >
      {canSort ? (
        <button type="button" onClick={() => onSort({ by: column.id, desc: by ? !sort.desc : false })}>
          {column.head}
          <Arrow size={12} strokeWidth={2.25} aria-hidden="true" data-on={by || undefined} />
        </button>
      ) : (
        <span className={column.headHidden ? 'vh' : undefined} title={column.note}>
          {column.head}
        </span>
      )}
    </th>
  )
}

interface RowProps<Row> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rowKey' | 'rowName' | 'rowHref' | 'actions' | 'selection'
> {
  row: Row
  at: number
}

const Cell = <Row,>({ column, row, children }: { column: Column<Row>; row: Row; children?: ReactNode }) => (
  <td
    dir="auto"
    data-align={column.align}
    data-mono={column.mono || undefined}
    data-secondary={column.secondary || undefined}
  >
    {children ?? column.cell(row)}
  </td>
)

const Name = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href ? (
    <a className={css.name} href={href}>
      {children}
    </a>
  ) : (
    <span className={css.name}>{children}</span>
  )

const PlainRow = <Row,>({ row, at, columns, rowKey, rowName, rowHref, actions, selection }: RowProps<Row>) => {
  const [first, ...others] = columns
  return (
    <tr
      {...rowNavigationAttribute}
      aria-rowindex={at + 2}
      data-chosen={selection?.selected.has(rowKey(row)) || undefined}
    >
      {selection ? (
        <td className={css.box}>
          <SelectBox.One row={row} rowKey={rowKey} rowName={rowName} selection={selection} />
        </td>
      ) : null}
      {first ? (
        <Cell column={first} row={row}>
          <Name href={rowHref?.(row)}>{first.cell(row)}</Name>
        </Cell>
      ) : null}
      {others.map((column) => (
        <Cell key={column.id} column={column} row={row} />
      ))}
      {actions ? <td className={css.actions}>{actions(row)}</td> : null}
    </tr>
  )
}

/** Memoized, so that scrolling renders only the rows that enter the view. */
const BodyRow = memo(PlainRow) as typeof PlainRow

const Skeletons = <Row,>({ columns, actions, selection }: DataTableProps<Row>) =>
  Array.from({ length: skeletonRows }, (_, at) => (
    <tr key={at} aria-hidden="true">
      {selection ? <td className={css.box} /> : null}
      {columns.map((column, across) => (
        <td key={column.id}>
          <span className={css.skeleton} style={{ width: `${48 + ((at * 7 + across * 13) % 30)}%` }} />
        </td>
      ))}
      {actions ? <td /> : null}
    </tr>
  ))

/** Takes the space of the rows above or below those in view. */
const Spacer = ({ height, span }: { height: number; span: number }) =>
  height > 0 ? (
    <tr aria-hidden="true" className={css.spacer}>
      <td colSpan={span} style={{ height }} />
    </tr>
  ) : null

/** Returns the width that keeps all columns readable. In a smaller window the table scrolls sideways. */
const leastWidth = <Row,>(columns: Column<Row>[], besides: number) =>
  columns.reduce((sum, { width, minWidth = 200 }) => sum + (typeof width === 'number' ? width : minWidth), besides)

/** Returns the width of an element in pixels; undefined before it is measured. */
const useWidth = (element: RefObject<HTMLElement | null>) => {
  const [width, setWidth] = useState<number>()
  useEffect(() => {
    const measured = element.current
    if (!measured || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() => setWidth(measured.clientWidth))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element])
  return width
}

/** Returns the columns that fit, after dropping as many as necessary in `dropOrder`. */
const fittingColumns = <Row,>(columns: Column<Row>[], width: number | undefined, besides: number): Column<Row>[] => {
  if (!width || leastWidth(columns, besides) <= width) return columns
  const last = columns.reduce<Column<Row> | undefined>(
    (found, column) => ((column.dropOrder ?? 0) > (found?.dropOrder ?? 0) ? column : found),
    undefined,
  )
  return last
    ? fittingColumns(
        columns.filter((column) => column !== last),
        width,
        besides,
      )
    : columns
}

type HeadRowProps<Row> = DataTableProps<Row> & { actionWidth: number }

const HeadRow = <Row,>(props: HeadRowProps<Row>) => {
  const { columns, rows, rowKey, sort, onSort, actions, selection, actionWidth } = props
  return (
    <thead>
      <tr>
        {selection ? (
          <th scope="col" className={css.box}>
            <SelectBox.All rows={rows} rowKey={rowKey} selection={selection} />
          </th>
        ) : null}
        {columns.map((column) => (
          <Head key={column.id} column={column} sort={sort} onSort={onSort} />
        ))}
        {actions ? (
          <th scope="col" style={{ width: actionWidth }}>
            <span className="vh">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

const actionWidthOf = <Row,>({ actions, actionCount = 2 }: DataTableProps<Row>) => (actions ? actionCount * 30 + 38 : 0)

/** The wide variant of DataTable. */
export const TableGrid = <Row,>(allProps: DataTableProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const width = useWidth(scroller)
  const actionWidth = actionWidthOf(allProps)
  const besides = actionWidth + (allProps.selection ? boxWidth : 0)
  const props = { ...allProps, columns: fittingColumns(allProps.columns, width, besides) }
  const { label, columns, rows, rowKey, actions, selection, loading, refreshing } = props
  const span = columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)
  const least = props.minWidth ?? leastWidth(columns, besides)
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={scroller}
      onKeyDown={moveBetweenRows}
      className={css.region}
      role="region"
      aria-label={label}
      // makes the region scrollable with the keyboard, even if nothing inside can be focused
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      aria-busy={loading || refreshing || undefined}
      data-scrolls={(width !== undefined && width < least) || undefined}
    >
      <table className={css.table} style={{ minWidth: least }} aria-rowcount={rows.length + 1}>
        <HeadRow {...props} actionWidth={actionWidth} />
        <tbody onPointerMove={setCutCellTitle}>
          {loading ? <Skeletons {...props} /> : null}
          <WindowedRows
            count={loading ? 0 : rows.length}
            height={rowHeight}
            scroller={scroller}
            draw={({ at, before, after }) => (
              <>
                <Spacer height={before} span={span} />
                {at.map((position) => {
                  const row = rows[position]
                  return row === undefined ? null : <BodyRow key={rowKey(row)} {...props} row={row} at={position} />
                })}
                <Spacer height={after} span={span} />
              </>
            )}
          />
        </tbody>
      </table>
    </div>
  )
}
