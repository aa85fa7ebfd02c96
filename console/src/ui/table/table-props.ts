import type { ReactNode } from 'react'

export interface Column<Row> {
  /** Also the value of `sort.by`. */
  id: string
  head: string
  cell: (row: Row) => ReactNode
  /** Pixels, or a share such as '24%'. Columns without a width share the remaining space. */
  width?: number | string
  /** Minimum width in pixels for a column whose `width` is not in pixels; defaults to 200. */
  minWidth?: number
  sortable?: boolean
  /** Tooltip of the column heading. */
  note?: string
  align?: 'start' | 'end'
  /** Shows the values in monospace. */
  mono?: boolean
  /** Shows the values in the colour of muted text. */
  mutedText?: boolean
  /** Hides the heading visually; screen readers still announce it. */
  headHidden?: boolean
  /** Omits the column from the cards that replace rows in a narrow window. */
  tableOnly?: boolean
  /** Hides the column if the table lacks space, highest number first. */
  dropOrder?: number
}

export interface Sort {
  by: string
  desc: boolean
}

export interface RowSelection<Row> {
  selected: ReadonlySet<string>
  onChange: (selectedKeys: Set<string>) => void
  /** Rows that can't be selected have an empty cell. */
  canSelect?: (row: Row) => boolean
}

export interface DataTableProps<Row> {
  /** Accessible name of the table: 'Accounts'. */
  label: string
  /** The first column is the row's name. */
  columns: Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Name of the record, for the accessible names of the controls in its row. */
  rowName: (row: Row) => string
  /** URL of the record; without one the name is plain text. */
  rowHref?: (row: Row) => string | undefined
  sort?: Sort
  onSort?: (sort: Sort) => void
  /** Icon buttons and links at the end of a row. */
  actions?: (row: Row) => ReactNode
  /** Maximum number of actions; sets the width of their column. */
  maxActions?: number
  selection?: RowSelection<Row>
  /** Shows skeleton rows, as nothing is cached yet. */
  loading?: boolean
  /** The displayed rows are being refreshed. */
  refreshing?: boolean
  /** Body of the card in a narrow window; built from the columns by default. */
  card?: (row: Row) => ReactNode
}
