import css from './data-table.module.css'
import { RecordLink } from './data-row'
import { rowNavigationAttribute } from './row-navigation'
import type { RowWindow } from './row-window'
import { SelectRowBox } from './select-box'
import type { Column, DataTableProps } from './table-props'

export interface DataCardProps<Row> extends DataTableProps<Row> {
  row: Row
  index: number
  measure: RowWindow['measure']
}

const CardValues = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <dl className={css.values}>
    {columns
      .filter((column) => !column.tableOnly)
      .map((column) => (
        <div key={column.id} data-mono={column.mono || undefined} data-number={column.align === 'end' || undefined}>
          <dt className="visually-hidden">{column.head}</dt>
          <dd>{column.cell(row)}</dd>
        </div>
      ))}
  </dl>
)

/** The card that replaces a row of a DataTable in a narrow window. */
export const DataCard = <Row,>({ row, index, measure, ...table }: DataCardProps<Row>) => {
  const { columns, rowKey, rowName, rowHref, actions, selection, card } = table
  const [firstColumn, ...otherColumns] = columns
  return (
    <li
      {...rowNavigationAttribute}
      ref={measure}
      data-index={index}
      className={css.card}
      data-selected={selection?.selected.has(rowKey(row)) || undefined}
    >
      <div className={css.cardTitle}>
        {selection ? <SelectRowBox row={row} rowKey={rowKey} rowName={rowName} selection={selection} /> : null}
        <RecordLink href={rowHref?.(row)}>{firstColumn?.cell(row)}</RecordLink>
        {actions ? <div className={css.cardActions}>{actions(row)}</div> : null}
      </div>
      {card ? card(row) : <CardValues row={row} columns={otherColumns} />}
    </li>
  )
}
