import { TableCards } from './table-cards'
import { TableGrid } from './table-grid'
import type { DataTableProps } from './table-props'
import { useIsNarrow } from '../shell/use-is-narrow'

/** Rows of records: a table, or cards in a narrow window. Long lists render only the rows in view. */
export const DataTable = <Row,>(props: DataTableProps<Row>) =>
  useIsNarrow() ? <TableCards {...props} /> : <TableGrid {...props} />
