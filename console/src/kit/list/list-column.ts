import type { Column } from '../../ui/table/table-props'

export interface ListColumn<Row> extends Column<Row> {
  /** The value to sort by in the browser. Default: the row's property with the column's id. */
  value?: (row: Row) => unknown
  /** Hidden unless the user selects it. */
  isOptional?: boolean
}
