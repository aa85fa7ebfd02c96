import { useParams } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { dateOptions, formatDateFilter } from '../../lib/call-times'
import type { EventColumn as TableColumn } from '../../ui/table/event-columns'
import { useListState } from '../list/list-state'
import type { ListState } from '../list/paging'
import { countPages } from '../../ui/table/page-numbers'
import { findOpenKey } from '../../ui/table/row-keys'
import { fetchAllEventPages, useEventQuery, type EventListSource, type EventQueryResult } from './event-query'
import { useRequestedRow, useRowAddresses, type OpenRow, type RowAddresses } from './use-open-row'

export interface EventColumn<Row> extends TableColumn<Row> {
  /** Visible by default. */
  isDefault?: boolean
  /** Hidden by default in windows narrower than 1100 px. */
  hiddenWhenNarrow?: boolean
}

/** A filter with a few values; '' shows all rows. */
export interface EventFilter {
  id: string
  name: string
  options: { value: string; label: string }[]
  /** Also accepts any value that matches. The toolbar shows the filter only while it has a value. */
  pattern?: RegExp
  /** `renderFilters` renders the filter instead of the toolbar. */
  isOutsideToolbar?: boolean
}

/** What the render functions of an event list receive. */
export interface EventListView {
  listState: ListState
  queryParams: Record<string, string | undefined>
  /** The list is polling. */
  isLive: boolean
  /** The number of rows on all pages; undefined until the list is loaded. */
  total: number | undefined
  /** The list has no rows. */
  isEmpty?: boolean
  /** Adds these filters, and an account if given, and returns to the first page. */
  addFilters: (filters: Record<string, string>, account?: string) => void
}

/** Other content than the rows, for the list states that choose it. */
export interface ListReplacement {
  isShown: (listState: ListState) => boolean
  /** The filters that also apply to it, besides text and account. The others are hidden and stay in the URL. */
  filterIds: readonly string[]
  /** What the title shows in place of the number of rows. */
  renderCount: (view: EventListView) => ReactNode
  /** `openKey`: the key in the path, if it opens here and not beside. */
  render: (view: EventListView, openKey?: string) => ReactNode
  /** What opens beside it, for a key in the path. */
  renderBeside: (view: EventListView, openKey: string) => ReactNode
}

export interface EventListProps<Row> {
  kind: string
  title: string
  noun: { singular: string; plural: string }
  /** The source of the rows, for all accounts ('') or one. */
  source: (account: string, listState: ListState) => EventListSource<Row>
  /** The query parameters besides page, account and date. */
  toQueryParams?: (listState: ListState) => Record<string, string | undefined>
  filters?: EventFilter[]
  /** The order can be reversed: `filters.order` is then 'asc'. */
  isReversible?: boolean
  /** The date to show while there are no rows today, and the message about it. */
  fallbackDate?: { date: string; message: string }
  /** Additional actions beside the title, before the others. */
  renderActions?: (view: EventListView) => ReactNode
  /** More controls after the filters. */
  renderFilters?: (view: EventListView) => ReactNode
  /** Shown above the rows, for example a summary of them. */
  renderAbove?: (view: EventListView) => ReactNode
  /** What the list shows in place of its rows. */
  replacement?: ListReplacement
  /** Where the rows come from. Shown if a long period has no rows and no filter is active. */
  hint?: ReactNode
  /** Shows a text filter. */
  hasTextFilter?: boolean
  /** The first column opens its row. */
  columns: (listState: ListState) => EventColumn<Row>[]
  rowKey: (row: Row) => string
  /** False until the filters of the first request are known. Default: true. */
  isEnabled?: boolean
  /** Another key that a URL may use for a row. */
  alternateKey?: (row: Row) => string | null | undefined
  renderCard: (row: Row, listState: ListState) => ReactNode
  /** The content of an open row. `openKey`: its key in the URL. */
  renderDetail: (row: Row, listState: ListState, openKey: string | undefined) => ReactNode
  /** Absent: the URL parameter `open` contains the key of the open row. */
  addresses?: RowAddresses<Row>
}

const noQueryParams = () => ({})
const noFilters: EventFilter[] = []

/** Drops filter values from the URL that the filters do not offer, so that the query matches the visible filters. */
const dropUnknownValues = (listState: ListState, filters: readonly EventFilter[]): ListState => {
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

/** The filters in the toolbar, with their values. */
const getShownFilters = (
  filters: readonly EventFilter[],
  listState: ListState,
  isFilterShown: (id: string) => boolean,
): EventFilter[] =>
  filters.flatMap((filter) => {
    const value = listState.filters[filter.id]
    if (filter.isOutsideToolbar || !isFilterShown(filter.id)) return []
    if (!filter.pattern) return filter
    if (!value) return []
    return filter.options.some((option) => option.value === value)
      ? filter
      : { ...filter, options: [...filter.options, { value, label: value }] }
  })

/** Loads a page of the list. If there are no rows today, loads a page of the `fallbackDate` instead. */
const useListPage = <Row>(
  props: EventListProps<Row>,
  listState: ListState,
  queryParams: Record<string, string | undefined>,
  openKey: string,
) => {
  const { kind, source, rowKey, alternateKey, fallbackDate, isEnabled = true } = props
  const isOpen = (row: Row) => openKey === rowKey(row) || (openKey !== '' && openKey === alternateKey?.(row))
  const listSource = source(listState.account, listState)
  const list = useEventQuery(kind, listSource, listState, queryParams, isOpen, isEnabled)
  const isEmptyToday = fallbackDate !== undefined && !listState.filters.date && list.total === 0
  const fallbackState = { ...listState, filters: { ...listState.filters, date: fallbackDate?.date ?? '' } }
  const fallbackList = useEventQuery(kind, listSource, fallbackState, queryParams, isOpen, isEmptyToday)
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
 * Is a date filter of at least a week the only filter? No filter at all also counts if there is a `fallbackDate`, because
 * the list has then also tried that date.
 */
const hasOnlyLongPeriod = (
  { text, filters: { date = '' } }: ListState,
  active: number,
  hasFallbackDate: boolean,
): boolean => text === '' && (date === '' ? active === 0 && hasFallbackDate : active === 1 && Number(date) >= 7)

/** The row that is open, and how to open others. */
const useOpenRow = <Row>(
  props: EventListProps<Row>,
  filterIds: readonly string[],
  openKey: string,
  list: Pick<EventQueryResult<Row>, 'rows' | 'loading'>,
  listState: ListState,
) => {
  const { addresses, alternateKey } = props
  const source = props.source('', listState)
  const requested = useRequestedRow(props, { urlKey: openKey, rows: list.rows, loading: list.loading, source })
  const opensBeside = addresses?.opensBeside ?? false
  // inside the list, a row that the path names and that is not on the page comes first
  const isAdded = addresses && !opensBeside && !listState.filters.open && !requested.isListed
  const rows = isAdded && requested.row ? [requested.row, ...list.rows] : list.rows
  const { keys, createHref, open } = useRowAddresses(props, rows, filterIds)
  const index = keys.indexOf(findOpenKey(openKey, keys, alternateKey && rows.map(alternateKey)) ?? '')
  const createOpener = (key: string | undefined) => (key === undefined ? undefined : () => open(key, { replace: true }))
  const openRow: OpenRow<Row> | undefined =
    opensBeside && openKey
      ? {
          ...requested,
          openPrevious: createOpener(keys[index - 1]),
          openNext: createOpener(keys[index + 1]),
          close: () => open(undefined),
        }
      : undefined
  return { rows, createHref, open, openRow }
}

/** Where a change of the list leads: a row that is open inside the list closes, one beside it stays open. */
const getPathOfChanges = <Row>(addresses: RowAddresses<Row> | undefined) =>
  addresses && !addresses.opensBeside ? addresses.listPath : undefined

/** The order of the rows, what is shown in their place, and the tab of the open row. */
const settingIds = ['order', 'show', 'tab']

/** The number of active filters, without the settings of the view and the open row. */
const countFilters = ({ filters, account }: ListState, isFilterShown: (id: string) => boolean) =>
  Object.entries(filters).filter(
    ([id, value]) => value && id !== 'open' && !settingIds.includes(id) && isFilterShown(id),
  ).length + (account ? 1 : 0)

/** The key of the open row, '' if none is open. What opens in place of the rows is not one of them. */
const readOpenKey = <Row>({ replacement }: EventListProps<Row>, listState: ListState, pathKey: string | undefined) => {
  const isReplaced = replacement?.isShown(listState) ?? false
  return { isReplaced, openKey: isReplaced ? '' : (pathKey ?? listState.filters.open ?? '') }
}

/** Reads the list state of a list of events from the URL, and loads its rows. */
export const useEventList = <Row>(props: EventListProps<Row>) => {
  const { toQueryParams = noQueryParams, filters = noFilters, addresses } = props
  const { sid: pathKey }: { sid?: string } = useParams({ strict: false })
  const filterIds = ['date', 'open', 'order', 'show', ...(addresses ? ['tab'] : []), ...filters.map(({ id }) => id)]
  const listUrl = useListState(filterIds, { path: getPathOfChanges(addresses), settingIds })
  const { listState: urlState, change, correctPage, clearFilters, textFilterKey } = listUrl
  const listState = dropUnknownValues(urlState, filters)
  const queryParams = toQueryParams(listState)
  const { isReplaced, openKey } = readOpenKey(props, listState, pathKey)
  const page = useListPage(props, listState, queryParams, openKey)
  const { list, listState: shownState, source, showsFallback } = page
  const { rows, createHref, open, openRow } = useOpenRow(props, filterIds, openKey, list, listState)
  const lastPage = list.total === undefined ? undefined : countPages(list.total, listState.pageSize)
  useEffect(() => {
    if (lastPage !== undefined && listState.page > lastPage) correctPage(lastPage)
  })
  const setFilter = (id: string, value: string, page?: number) =>
    change({ filters: { ...listState.filters, [id]: value }, ...(page === undefined ? {} : { page }) })
  const isFilterShown = (id: string) => !isReplaced || (props.replacement?.filterIds.includes(id) ?? false)
  const activeFilterCount = countFilters(listState, isFilterShown)
  const fetchAllRows = (signal: AbortSignal) =>
    fetchAllEventPages(source, shownState.filters.date ?? '', queryParams, signal)
  const view: EventListView = {
    listState: shownState,
    queryParams,
    isLive: list.isLive && listState.page === 1,
    total: list.total,
    addFilters: (filters, account = listState.account) => {
      const changes = { filters: { ...listState.filters, open: '', ...filters }, account, page: 1 }
      // another view of the list has other rows
      if (pathKey !== undefined && filters.show !== undefined) open(undefined, { changes })
      else change(changes)
    },
  }
  const order = {
    oldestFirst: listState.filters.order === 'asc',
    onChange: (oldestFirst: boolean) => setFilter('order', oldestFirst ? 'asc' : ''),
  }
  return {
    order: props.isReversible ? order : undefined,
    listState,
    change,
    clearFilters,
    textFilterKey,
    urlColumns: { value: listState.columns, set: listUrl.setUrlColumns },
    setFilter,
    list,
    activeFilterCount,
    isFilterShown,
    shownFilters: getShownFilters(filters, listState, isFilterShown),
    isFiltered: listState.text !== '' || activeFilterCount > 0,
    isLongPeriod: hasOnlyLongPeriod(listState, activeFilterCount, props.fallbackDate !== undefined),
    fetchAllRows,
    view,
    replacedKey: isReplaced ? pathKey : undefined,
    isReplaced,
    showsFallback,
    rows,
    openKey: openKey || undefined,
    openRow,
    createHref,
    onOpen: (key: string | undefined, replace = false) =>
      addresses ? open(key, { replace }) : setFilter('open', key ?? '', listState.page),
  }
}

export type EventListModel<Row> = ReturnType<typeof useEventList<Row>>
