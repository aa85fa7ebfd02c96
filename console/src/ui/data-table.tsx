import type { ReactNode } from 'react'
import { TableCards } from './table-cards'
import { TableGrid } from './table-grid'
import { useNarrow } from './use-narrow'

export interface Column<Row> {
  /** Also the name that `sort.by` carries. */
  id: string
  head: string
  cell: (row: Row) => ReactNode
  /** Pixels, or a share such as '24%'. Columns without one share what is left. */
  width?: number | string
  /** Pixels that its words need, for a column whose width is not in pixels; 200 unless given. */
  least?: number
  sortable?: boolean
  /** Explains the head under the pointer. */
  note?: string
  align?: 'start' | 'end'
  /** Machine words: the monospace face. */
  mono?: boolean
  /** Second-rank words: quieter. */
  secondary?: boolean
  /** The head is said but not shown. */
  headHidden?: boolean
  /** Left out of the card that stands for the row in a narrow window. */
  tableOnly?: boolean
  /** Left out where the table lacks room, the highest number first. */
  dropOrder?: number
}

export interface Sort {
  by: string
  desc: boolean
}

export interface Selection<Row> {
  chosen: ReadonlySet<string>
  onChange: (chosen: Set<string>) => void
  /** Rows that can't be chosen keep an empty cell. */
  can?: (row: Row) => boolean
}

export interface DataTableProps<Row> {
  /** The table's name: 'Accounts'. */
  label: string
  /** The first column is the row's name. */
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** The record's name, for the names of controls in its row. */
  rowName: (row: Row) => string
  /** Where the name leads; without it the name is plain text. */
  rowHref?: (row: Row) => string | undefined
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Icon buttons and links at the end of a row. */
  actions?: (row: Row) => ReactNode
  /** How many there are at most: keeps the column as narrow as can be. */
  actionCount?: number
  selection?: Selection<Row>
  /** Nothing is cached yet: skeleton rows. */
  loading?: boolean
  /** The rows shown are being refreshed. */
  refreshing?: boolean
  /** The body of the card in a narrow window; made of the columns unless set. */
  card?: (row: Row) => ReactNode
  /** Least width before the table scrolls sideways in its own region; reckoned from the columns unless said. */
  minWidth?: number
}

/** Rows of records: a real table, and cards in a narrow window. Only what is seen is rendered once there are many. */
export const DataTable = <Row,>(props: DataTableProps<Row>) =>
  useNarrow() ? <TableCards {...props} /> : <TableGrid {...props} />
