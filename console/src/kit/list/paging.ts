import type { Sort } from '../../ui/table/table-props'

/** The list state. All of it is in the page's URL. */
export interface ListState {
  /** In lower case. */
  text: string
  /** An account's SID, or '' for all accounts. */
  account: string
  /** The filters of this list, by id. */
  filters: Record<string, string>
  sort: Sort | undefined
  page: number
  pageSize: number
}

const asWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const compare = (one: unknown, other: unknown): number => {
  const empty = (value: unknown) => value === null || value === undefined || value === ''
  if (empty(one) || empty(other)) return Number(empty(one)) - Number(empty(other))
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return asWords(one).localeCompare(asWords(other), undefined, { numeric: true, sensitivity: 'base' })
}

/** Returns a sorted copy. Empty values come last in ascending order. */
export const sortRows = <Row>(rows: readonly Row[], value: (row: Row) => unknown, desc: boolean): Row[] =>
  rows.toSorted((one, other) => compare(value(one), value(other)) * (desc ? -1 : 1))

/** One page of an array, and the total. */
export const paginate = <Row>(
  rows: readonly Row[],
  page: number,
  pageSize: number,
): { rows: Row[]; total: number } => ({
  rows: rows.slice((page - 1) * pageSize, page * pageSize),
  total: rows.length,
})
