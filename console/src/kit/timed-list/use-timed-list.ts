import { useEffect, type ReactNode } from 'react'
import { dateOptions, formatDateFilter } from '../../lib/call-times'
import type { EventColumn as TableColumn } from '../../ui/table/event-columns'
import { useListState } from '../list/list-state'
import type { ListState } from '../list/paging'
import { countPages } from '../../ui/table/page-numbers'
import { fetchAllTimedPages, useTimedQuery, type TimedSource } from './timed-query'

export interface EventColumn<Row> extends TableColumn<Row> {
  /** Visible by default. */
  isDefault?: boolean
  /** Hidden by default in windows narrower than 1100 px. */
  hiddenWhenNarrow?: boolean
}

/** A filter with a few values; '' shows all rows. */
export interface TimedFilter {
  id: string
  name: string
  options: { value: string; label: string }[]
  /** Also accepts any value of this pattern. The toolbar shows the filter only while it has a value. */
  pattern?: RegExp
  /** `renderFilters` renders the filter instead of the toolbar. */
  isHidden?: boolean
}

/** The information about a list that parts of its screen need. */
export interface TimedView {
  listState: ListState
  queryParams: Record<string, string | undefined>
  /** The list is polling. */
  isLive: boolean
  /** The list has no rows. */
  isEmpty?: boolean
  /** Adds these filters, and an account if given, and returns to the first page. */
  addFilters: (filters: Record<string, string>, account?: string) => void
}

export interface TimedListProps<Row> {
  kind: string
  title: string
  noun: { singular: string; plural: string }
  /** The source of the rows, for all accounts ('') or one. */
  source: (account: string, listState: ListState) => TimedSource<Row>
  /** The query parameters besides page, account and date. */
  toQueryParams?: (listState: ListState) => Record<string, string | undefined>
  filters?: TimedFilter[]
  /** The order can be reversed: `filters.order` is then 'asc'. */
  isReversible?: boolean
  /** The date to show instead of an empty today, and the message about it. */
  fallbackDate?: { date: string; message: string }
  /** Additional actions beside the title, before the others. */
  renderActions?: (view: TimedView) => ReactNode
  /** More controls after the filters. */
  renderFilters?: (view: TimedView) => ReactNode
  /** Shown above the rows, about all of them. */
  renderAbove?: (view: TimedView) => ReactNode
  /** Shown in place of the rows; undefined shows the rows. */
  renderInstead?: (view: TimedView) => ReactNode
  /** Where the rows come from. Shown if a long period has no rows and no filter is active. */
  hint?: ReactNode
  /** Shows a text filter. */
  hasTextFilter?: boolean
  /** The first column opens its row. */
  columns: (listState: ListState) => EventColumn<Row>[]
  rowKey: (row: Row) => string
  /** False until the request is known. Default: true. */
  isEnabled?: boolean
  /** Another key that a URL may use for a row. */
  alternateKey?: (row: Row) => string | null | undefined
  renderCard: (row: Row, listState: ListState) => ReactNode
  /** The content of an open row. */
  renderDetail: (row: Row, listState: ListState) => ReactNode
}

const noQueryParams = () => ({})
const noFilters: TimedFilter[] = []

/** Drops values from the URL that the filters do not offer, so that the query matches the visible filters. */
const dropUnknownFilters = (listState: ListState, filters: readonly TimedFilter[]): ListState => {
  const { date = '' } = listState.filters
  const isOffered = (id: string, value: string) => {
    if (id === 'date')
      return formatDateFilter(date) !== undefined || dateOptions.some((option) => option.value === date)
    const filter = filters.find((candidate) => candidate.id === id)
    return !filter || filter.pattern?.test(value) || filter.options.some((option) => option.value === value)
  }
  return {
    ...listState,
    filters: Object.fromEntries(Object.entries(listState.filters).filter(([id, value]) => isOffered(id, value))),
  }
}

/** Loads a page of the list. If there are no rows today, loads a page of the `fallbackDate` instead. */
const useListPage = <Row>(
  props: TimedListProps<Row>,
  listState: ListState,
  queryParams: Record<string, string | undefined>,
) => {
  const { kind, source, rowKey, alternateKey, fallbackDate, isEnabled = true } = props
  const { open } = listState.filters
  const isOpen = (row: Row) => open === rowKey(row) || (!!open && open === alternateKey?.(row))
  const listSource = source(listState.account, listState)
  const list = useTimedQuery(kind, listSource, listState, queryParams, isOpen, isEnabled)
  const isEmptyToday = fallbackDate !== undefined && !listState.filters.date && list.total === 0
  const fallbackState = { ...listState, filters: { ...listState.filters, date: fallbackDate?.date ?? '' } }
  const fallbackList = useTimedQuery(kind, listSource, fallbackState, queryParams, isOpen, isEmptyToday)
  if (!isEmptyToday || fallbackList.error || fallbackList.total === 0)
    return { list, listState, source: listSource, showsFallback: false }
  // today's list polls too: the first record of today replaces the fallback
  const setIsLive = (isLive: boolean) => {
    list.setIsLive(isLive)
    fallbackList.setIsLive(isLive)
  }
  return {
    list: { ...fallbackList, setIsLive },
    listState: fallbackState,
    source: listSource,
    showsFallback: fallbackList.total !== undefined,
  }
}

/**
 * Is a long period the only filter? `isWidened`: without a date filter, the list has also tried the `fallbackDate`.
 */
const hasOnlyLongPeriod = ({ text, filters: { date = '' } }: ListState, active: number, isWidened: boolean): boolean =>
  text === '' && (date === '' ? active === 0 && isWidened : active === 1 && Number(date) >= 7)

/** Reads the list state of a list of events from the URL, and loads its rows. */
export const useTimedList = <Row>(props: TimedListProps<Row>) => {
  const { toQueryParams = noQueryParams, filters = noFilters } = props
  const filterIds = ['date', 'open', 'order', 'show', ...filters.map(({ id }) => id)]
  const { listState: urlState, change, correctPage } = useListState(filterIds)
  const listState = dropUnknownFilters(urlState, filters)
  const queryParams = toQueryParams(listState)
  const { list, listState: shownState, source, showsFallback } = useListPage(props, listState, queryParams)
  const lastPage = list.total === undefined ? undefined : countPages(list.total, listState.pageSize)
  useEffect(() => {
    if (lastPage !== undefined && listState.page > lastPage) correctPage(lastPage)
  })
  const setFilter = (id: string, value: string, page?: number) =>
    change({ filters: { ...listState.filters, [id]: value }, ...(page === undefined ? {} : { page }) })
  const { open: _open, order: _order, show: _show, ...activeFilters } = listState.filters
  const activeFilterCount = Object.values(activeFilters).filter(Boolean).length + (listState.account ? 1 : 0)
  const fetchAllRows = (signal: AbortSignal) =>
    fetchAllTimedPages(source, shownState.filters.date ?? '', queryParams, signal)
  const view: TimedView = {
    listState: shownState,
    queryParams,
    isLive: list.isLive && listState.page === 1,
    addFilters: (filters, account = listState.account) =>
      change({ filters: { ...listState.filters, open: '', ...filters }, account, page: 1 }),
  }
  const order = {
    oldestFirst: listState.filters.order === 'asc',
    onChange: (oldestFirst: boolean) => setFilter('order', oldestFirst ? 'asc' : ''),
  }
  return {
    order: props.isReversible ? order : undefined,
    listState,
    change,
    setFilter,
    list,
    activeFilterCount,
    isFiltered: listState.text !== '' || activeFilterCount > 0,
    isLongPeriod: hasOnlyLongPeriod(listState, activeFilterCount, props.fallbackDate !== undefined),
    fetchAllRows,
    view,
    showsFallback,
  }
}

export type TimedListModel<Row> = ReturnType<typeof useTimedList<Row>>
