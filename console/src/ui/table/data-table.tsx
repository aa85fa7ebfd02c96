import { useRef } from 'react'
import { useIsNarrow } from '../shell/use-window-width'
import { DataCard } from './data-card'
import { DataRow } from './data-row'
import { fitColumns, getActionWidth, getColumnWidths, getMinWidth, selectWidth, useWidth } from './data-columns'
import css from './data-table.module.css'
import { SelectAllBox } from './select-box'
import { HeadCell, type SortState } from './table-cells'
import type { Column, DataTableProps } from './table-props'
import { useRowHeight } from './row-height'
import { TableRegion } from './table-region'
import { CardRows, TableRows } from './table-rows'
import tableCss from './table.module.css'

const cardHeight = 96

const toSortState = <Row,>({ id, sortable }: Column<Row>, { sort, onSort }: DataTableProps<Row>) => {
  if (!sortable || !onSort) return undefined
  const isSorted = sort?.by === id
  const direction: SortState['direction'] = isSorted ? (sort.desc ? 'descending' : 'ascending') : 'none'
  return { direction, onToggle: () => onSort({ by: id, desc: isSorted && !sort.desc }) }
}

interface HeadRowProps<Row> extends DataTableProps<Row> {
  /** The width of the table in pixels; undefined before it is measured. */
  tableWidth: number | undefined
  /** The width of the cells before and after the columns. */
  fixedWidth: number
}

const HeadRow = <Row,>({ tableWidth, fixedWidth, ...props }: HeadRowProps<Row>) => {
  const { columns, rows, rowKey, actions, selection } = props
  const { widths, isCapped } = getColumnWidths(columns, tableWidth, fixedWidth)
  // the last cell takes the remaining space
  const hasOwnWidth = (index: number) => !isCapped || Boolean(actions) || index < columns.length - 1
  return (
    <thead>
      <tr>
        {selection ? (
          <th scope="col" className={css.select}>
            <SelectAllBox rows={rows} rowKey={rowKey} selection={selection} />
          </th>
        ) : null}
        {columns.map((column, index) => (
          <HeadCell
            key={column.id}
            column={column}
            width={hasOwnWidth(index) ? widths[index] : undefined}
            sort={toSortState(column, props)}
          />
        ))}
        {actions ? (
          <th scope="col" style={{ width: isCapped ? undefined : getActionWidth(props) }}>
            <span className="visually-hidden">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

const DataGrid = <Row,>(allProps: DataTableProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const width = useWidth(scroller)
  const fixedWidth = getActionWidth(allProps) + (allProps.selection ? selectWidth : 0)
  const props = { ...allProps, columns: fitColumns(allProps.columns, width, fixedWidth) }
  const { label, columns, rows, rowKey, actions, selection, loading, refreshing } = props
  const minWidth = getMinWidth(columns, fixedWidth)
  return (
    <TableRegion
      ref={scroller}
      label={label}
      isBusy={loading || refreshing}
      className={width !== undefined && width < minWidth ? css.scrolling : undefined}
    >
      <table className={tableCss.table} style={{ minWidth }} aria-rowcount={rows.length + 1}>
        <HeadRow {...props} tableWidth={width} fixedWidth={fixedWidth} />
        <TableRows
          rows={rows}
          loading={loading}
          windowing={{ rowHeight, scroller }}
          columnCount={columns.length}
          leadingCells={selection ? 1 : 0}
          trailingCells={actions ? 1 : 0}
          renderRow={(row, index) => <DataRow key={rowKey(row)} {...props} row={row} index={index} />}
        />
      </table>
    </TableRegion>
  )
}

const DataCards = <Row,>(props: DataTableProps<Row>) => {
  const { label, rows, rowKey, selection, loading, refreshing } = props
  const scroller = useRef<HTMLDivElement>(null)
  return (
    <TableRegion ref={scroller} label={label} isBusy={loading || refreshing}>
      {selection && rows.length > 0 && !loading ? (
        <div className={css.selectAll}>
          <SelectAllBox rows={rows} rowKey={rowKey} selection={selection} />
          <span aria-hidden="true">Select all on this page</span>
        </div>
      ) : null}
      <CardRows
        rows={rows}
        loading={loading}
        windowing={{ rowHeight: cardHeight, scroller }}
        renderCard={(row, index, measure) => (
          <DataCard key={rowKey(row)} {...props} row={row} index={index} measure={measure} />
        )}
      />
    </TableRegion>
  )
}

/** Rows of records: a table, or cards in a narrow window. Long lists render only the rows in view. */
export const DataTable = <Row,>(props: DataTableProps<Row>) =>
  useIsNarrow() ? <DataCards {...props} /> : <DataGrid {...props} />
