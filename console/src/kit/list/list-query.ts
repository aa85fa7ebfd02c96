import { sharedRecordsSid, type ListQuery } from '@trunkline/contract/kit/page'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { useMemo } from 'react'
import type { Column, Sort } from '../../ui/table/table-props'
import type { ListColumn } from './list-column'
import type { ListFilter } from './list-filters'
import { sortRows, type ListState } from './paging'
import type { AnyResource } from '../record/record'
import type { ClientListOperations } from './use-list'

/** The column with the record's name. */
export const createNameColumn = <Row>(
  resource: AnyResource<Row>,
  overrides: Partial<ListColumn<Row>> = {},
): ListColumn<Row> => ({
  id: 'name',
  head: 'Name',
  cell: resource.title,
  value: resource.title,
  sortable: true,
  ...overrides,
})

/** Returns the owner of a record that this actor adds to a provider. */
export const getNewRecordOwner = (actor: Actor, service_provider_sid: string): Owner => ({
  service_provider_sid,
  account_sid: actor.scope === 'account' ? actor.account_sid : null,
})

export interface ListQueryOptions<Row> {
  /** The query parameter of the text filter; false for a list without one. */
  textFilterParam: 'name' | 'filter' | false
  filters: ListFilter<Row>[]
  /** Set only if the server sorts and the order is not its default. */
  sort: Sort | undefined
}

/** Converts a list state to the query for a server that paginates. */
export const toListQuery = <Row>(
  listState: ListState,
  { textFilterParam, filters, sort }: ListQueryOptions<Row>,
): ListQuery => ({
  page: listState.page,
  page_size: listState.pageSize,
  ...(textFilterParam && listState.text ? { [textFilterParam]: listState.text } : {}),
  ...(listState.account ? { account_sid: listState.account } : {}),
  ...toFilterQuery(filters, listState),
  ...(sort ? { sort: `${sort.desc ? '-' : ''}${sort.by}` } : {}),
})

const toFilterQuery = <Row>(filters: ListFilter<Row>[], listState: ListState): Partial<ListQuery> =>
  filters.reduce<Partial<ListQuery>>((listQuery, { id, query }) => {
    const value = listState.filters[id]
    return value ? { ...listQuery, ...query?.(value) } : listQuery
  }, {})

export interface ClientListOptions<Row> {
  columns: ListColumn<Row>[]
  searchText: (row: Row) => string
  filters: ListFilter<Row>[]
}

/** Applies a list state to a complete list, in the browser. The counterpart of `toListQuery`. */
export const createClientListOperations = <Row>({
  columns,
  searchText,
  filters,
}: ClientListOptions<Row>): ClientListOperations<Row> => ({
  matches: (row, listState) =>
    (listState.text === '' || searchText(row).toLowerCase().includes(listState.text.toLowerCase())) &&
    (listState.account === '' ||
      ((row as { account_sid?: unknown }).account_sid ?? sharedRecordsSid) === listState.account) &&
    filters.every(({ id, match }) => !listState.filters[id] || match(row, listState.filters[id])),
  sort: (rows, listState) => {
    const column = columns.find(({ id }) => id === listState.sort?.by)
    return listState.sort && column ? sortRows(rows, createValueGetter(column), listState.sort.desc) : rows
  },
})

/** Returns a function that reads the value of a column from a row. */
const createValueGetter =
  <Row>({ id, value }: ListColumn<Row>) =>
  (row: Row) =>
    value ? value(row) : (row as Record<string, unknown>)[id]

const noSortNote = 'This server cannot sort the list'

/**
 * Decides which columns the table can sort. A column cannot be sorted if the server does not support it. In a complete
 * list, it cannot be sorted either if no row has its value, for example a name that each cell requests separately.
 */
export const toTableColumns = <Row>(
  columns: ListColumn<Row>[],
  canSortList: boolean,
  completeRows: readonly Row[] | undefined,
): Column<Row>[] =>
  columns.map((column) => {
    const getValue = createValueGetter(column)
    const hasValue = !completeRows || completeRows.some((row) => getValue(row) !== undefined)
    const canSort = column.sortable && canSortList && hasValue
    return { ...column, sortable: canSort, note: column.sortable && !canSortList ? noSortNote : undefined }
  })

/**
 * Memoizes the operations of a list. A screen passes new functions on each render, but they behave the same as long as
 * the columns do not change. Therefore the only dependency is the column ids.
 */
export const useClientListOperations = <Row>(options: ClientListOptions<Row>): ClientListOperations<Row> => {
  const columnIds = options.columns.map(({ id }) => id).join()
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => createClientListOperations(options), [columnIds])
}
