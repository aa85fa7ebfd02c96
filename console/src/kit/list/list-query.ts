import { sharedRecordsSid, type ListQuery } from '@trunkline/contract/kit/page'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { useMemo } from 'react'
import type { Column, Sort } from '../../ui/table/table-props'
import type { ListColumn } from './list-column'
import type { ListFilter } from './list-filters'
import { sortRows, type ListState } from './paging'
import type { AnyResource } from '../record/record'
import type { ClientFilter } from './use-list'

/** The column with the record's name. */
export const createNameColumn = <Row>(
  resource: AnyResource<Row>,
  first: Partial<ListColumn<Row>> = {},
): ListColumn<Row> => ({
  id: 'name',
  head: 'Name',
  cell: resource.title,
  value: resource.title,
  sortable: true,
  ...first,
})

/** The owner of a new record that this actor adds. */
export const newRecordOwner = (actor: Actor, service_provider_sid: string): Owner => ({
  service_provider_sid,
  account_sid: actor.scope === 'account' ? actor.account_sid : null,
})

export interface ListQueryOptions<Row> {
  text: 'name' | 'filter' | false
  filters: ListFilter<Row>[]
  /** Set only if the server sorts and the order is not its default. */
  sort: Sort | undefined
}

/** The query for a server that paginates. */
export const toListQuery = <Row>(listState: ListState, { text, filters, sort }: ListQueryOptions<Row>): ListQuery => ({
  page: listState.page,
  page_size: listState.pageSize,
  ...(text && listState.text ? { [text]: listState.text } : {}),
  ...(listState.account ? { account_sid: listState.account } : {}),
  ...toFilterQuery(filters, listState),
  ...(sort ? { sort: `${sort.desc ? '-' : ''}${sort.by}` } : {}),
})

const toFilterQuery = <Row>(filters: ListFilter<Row>[], listState: ListState): Partial<ListQuery> =>
  filters.reduce<Partial<ListQuery>>((all, { id, query }) => {
    const value = listState.filters[id]
    return value ? { ...all, ...query?.(value) } : all
  }, {})

export interface ClientFilterOptions<Row> {
  columns: ListColumn<Row>[]
  searchText: (row: Row) => string
  filters: ListFilter<Row>[]
}

/** The same filters and sort order, applied in the browser to a complete list. */
export const createClientFilter = <Row>({
  columns,
  searchText,
  filters,
}: ClientFilterOptions<Row>): ClientFilter<Row> => ({
  matches: (row, listState) =>
    (listState.text === '' || searchText(row).toLowerCase().includes(listState.text)) &&
    (listState.account === '' ||
      ((row as { account_sid?: unknown }).account_sid ?? sharedRecordsSid) === listState.account) &&
    filters.every(({ id, match }) => !listState.filters[id] || match(row, listState.filters[id])),
  order: (rows, { sort }) => {
    const column = columns.find(({ id }) => id === sort?.by)
    return sort && column ? sortRows(rows, valueOf(column), sort.desc) : rows
  },
})

const valueOf =
  <Row>({ id, value }: ListColumn<Row>) =>
  (row: Row) =>
    value ? value(row) : (row as Record<string, unknown>)[id]

const noSortNote = 'This server cannot sort the list'

/**
 * Columns for the table. A column is not sortable if the server cannot sort, or if no row of a complete list has its
 * value (for example a name that each cell loads itself).
 */
export const toTableColumns = <Row>(
  columns: ListColumn<Row>[],
  sortable: boolean,
  whole: readonly Row[] | undefined,
): Column<Row>[] =>
  columns.map((column) => {
    const value = valueOf(column)
    const known = !whole || whole.some((row) => value(row) !== undefined)
    const canSort = column.sortable && sortable && known
    return { ...column, sortable: canSort, note: column.sortable && !sortable ? noSortNote : undefined }
  })

/**
 * The functions of a screen are new on each render but always do the same, so only a change of column ids invalidates
 * the memo.
 */
export const useClientFilter = <Row>(looking: ClientFilterOptions<Row>): ClientFilter<Row> => {
  const mark = looking.columns.map(({ id }) => id).join()
  // eslint-disable-next-line react-hooks/exhaustive-deps
  return useMemo(() => createClientFilter(looking), [mark])
}
