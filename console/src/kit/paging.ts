import type { Sort } from '../ui/data-table'

/** What a list is asked to show; all of it stands in the page's address. */
export interface Look {
  /** Lower case. */
  text: string
  /** An account's sid, or '' for all. */
  account: string
  /** The filters of this list, by id. */
  picks: Record<string, string>
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

/** Sorts a copy; what is empty comes last in ascending order. */
export const sorted = <Row>(rows: readonly Row[], value: (row: Row) => unknown, desc: boolean): Row[] =>
  rows.toSorted((one, other) => compare(value(one), value(other)) * (desc ? -1 : 1))

/** One page of an array, and how many there are in all. */
export const paged = <Row>(rows: readonly Row[], page: number, pageSize: number): { rows: Row[]; total: number } => ({
  rows: rows.slice((page - 1) * pageSize, page * pageSize),
  total: rows.length,
})

/** The last page that holds anything. */
export const lastPage = (total: number, pageSize: number) => Math.max(1, Math.ceil(total / pageSize))
