import type { ServerCapabilities } from '@trunkline/contract/shapes/session'
import type { Column } from '../../ui/table/table-props'

export interface ListColumn<Row> extends Column<Row> {
  /** The value to sort by in the browser. Default: the row's property with the column's id. */
  value?: (row: Row) => unknown
  /** Hidden unless the user selects it. */
  isOptional?: boolean
  /** For cells that depend on more than their row: requests what an export adds to the rows. */
  fetchExportValues?: FetchExportValues<Row>
}

/** Returns the values of each row by the names of their columns in the exported file, in the order of the rows. */
export type FetchExportValues<Row> = (rows: readonly Row[], signal: AbortSignal) => Promise<readonly object[]>

/** The list that loaded columns are for. */
export interface ColumnContext<Row> {
  rows: readonly Row[]
  /** When the rows were loaded; undefined while they are those of another page or filter. */
  updatedAt: number | undefined
  /** The ids of the selected columns, perhaps with ids that the list does not have. */
  visibleColumns: readonly string[]
  capabilities: ServerCapabilities
}

/** Creates columns whose cells depend on more than their row. */
export type CreateColumns<Row> = (context: ColumnContext<Row>) => ListColumn<Row>[]
