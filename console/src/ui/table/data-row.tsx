import { memo, type ReactNode } from 'react'
import css from './data-table.module.css'
import { rowNavigationAttribute } from './row-navigation'
import { SelectRowBox } from './select-box'
import { BodyCell } from './table-cells'
import type { DataTableProps } from './table-props'
import tableCss from './table.module.css'

export interface DataRowProps<Row> extends Pick<
  DataTableProps<Row>,
  'columns' | 'rowKey' | 'rowName' | 'rowHref' | 'actions' | 'selection'
> {
  row: Row
  index: number
}

/** The name of a record, linked to its screen. */
export const RecordLink = ({ href, children }: { href: string | undefined; children: ReactNode }) =>
  href ? (
    <a className={css.name} href={href}>
      {children}
    </a>
  ) : (
    <span className={css.name}>{children}</span>
  )

const PlainRow = <Row,>({ row, index, columns, rowKey, rowName, rowHref, actions, selection }: DataRowProps<Row>) => {
  const [firstColumn, ...otherColumns] = columns
  return (
    <tr
      {...rowNavigationAttribute}
      className={tableCss.row}
      aria-rowindex={index + 2}
      data-selected={selection?.selected.has(rowKey(row)) || undefined}
    >
      {selection ? (
        <td className={css.select}>
          <SelectRowBox row={row} rowKey={rowKey} rowName={rowName} selection={selection} />
        </td>
      ) : null}
      {firstColumn ? (
        <BodyCell column={firstColumn}>
          <RecordLink href={rowHref?.(row)}>{firstColumn.cell(row)}</RecordLink>
        </BodyCell>
      ) : null}
      {otherColumns.map((column) => (
        <BodyCell key={column.id} column={{ ...column, mutedText: column.mutedText || column.mono }}>
          {column.cell(row)}
        </BodyCell>
      ))}
      {actions ? <td className={css.actions}>{actions(row)}</td> : null}
    </tr>
  )
}

/** A row of a DataTable. Memoized, so that scrolling renders only the rows that enter the view. */
export const DataRow = memo(PlainRow) as typeof PlainRow
