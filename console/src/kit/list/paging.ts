import type { Sort } from '../../ui/table/table-props'

/** The list state. All of it is in the URL of the screen. */
export interface ListState {
  /** The text filter, as typed. It ignores case. */
  text: string
  /** An account's SID, or '' for all accounts. */
  account: string
  /** The filters of this list, by id. */
  filters: Record<string, string>
  sort: Sort | undefined
  page: number
  pageSize: number
  /** The columns besides the first, separated by commas. Undefined: those that the user has selected in this browser. */
  columns?: string
  /** The height of the rows, 'compact' or 'normal'. Undefined: as the user's settings say. */
  density?: string
}

const toComparableText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

const compare = (a: unknown, b: unknown): number => {
  if (isEmpty(a) || isEmpty(b)) return Number(isEmpty(a)) - Number(isEmpty(b))
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return toComparableText(a).localeCompare(toComparableText(b), undefined, { numeric: true, sensitivity: 'base' })
}

/** Returns a sorted copy. Empty values come last in ascending order. */
export const sortRows = <Row>(rows: readonly Row[], getValue: (row: Row) => unknown, desc: boolean): Row[] =>
  rows.toSorted((a, b) => compare(getValue(a), getValue(b)) * (desc ? -1 : 1))

/** One page of an array, and the total. */
export const paginate = <Row>(
  rows: readonly Row[],
  page: number,
  pageSize: number,
): { rows: Row[]; total: number } => ({
  rows: rows.slice((page - 1) * pageSize, page * pageSize),
  total: rows.length,
})
