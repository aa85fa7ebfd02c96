import { queryOptions } from '@tanstack/react-query'
import { savedView } from '@trunkline/contract/resources/saved-view'
import type { SavedView } from '@trunkline/contract/shapes/saved-view'
import { request } from '../../lib/client'
import { namedQueryKey } from '../../lib/query-keys'
import type { Sort } from '../../ui/table/table-props'
import { writeListState, type ListSearch } from './list-state'
import type { ListState } from './paging'
import { writeColumns } from './visible-columns'

/** A list of which users can save views. */
export interface ViewedList {
  listState: ListState
  defaultSort?: Sort
  /** The visible columns besides the first, in their order. */
  columnIds: readonly string[]
}

const toComparableQuery = (search: URLSearchParams): string => {
  search.sort()
  return search.toString()
}

/**
 * The query of a URL that shows this view to everyone: filters, sort order, page size, columns and row height. It has
 * neither the page nor an open row, because later the list has other rows.
 */
export const createViewQuery = ({ listState, defaultSort, columnIds }: ViewedList, density: string): string => {
  const { open: _open, ...filters } = listState.filters
  const search: ListSearch = writeListState(
    { ...listState, filters, page: 1, columns: writeColumns(columnIds), density },
    defaultSort,
  )
  return toComparableQuery(new URLSearchParams(search as Record<string, string>))
}

/** Does the list that has this query show the view? A view without a row height leaves it to the user's settings. */
export const showsView = (query: string, viewQuery: string): boolean => {
  const [listParams, viewParams] = [new URLSearchParams(query), new URLSearchParams(viewQuery)]
  if (!viewParams.has('density')) listParams.delete('density')
  return toComparableQuery(listParams) === toComparableQuery(viewParams)
}

const isSavedView = (value: Partial<Record<keyof SavedView, unknown>> | null): boolean =>
  typeof value?.saved_view_sid === 'string' && typeof value.name === 'string' && typeof value.query === 'string'

/** The user's views of a list. Rows that are not views are left out. */
export const savedViewsQuery = (list: string) =>
  queryOptions({
    queryKey: namedQueryKey('saved_view', 'ofList', list),
    queryFn: async ({ signal }): Promise<SavedView[]> => {
      const rows: unknown = await request(savedView.list, { query: { list }, signal, isBackground: true })
      return Array.isArray(rows) ? (rows as SavedView[]).filter(isSavedView) : []
    },
  })
