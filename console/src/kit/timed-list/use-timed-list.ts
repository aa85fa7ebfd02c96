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
  /** `tools` renders the filter instead of the toolbar. */
  hidden?: boolean
}

/** The information about a list that parts of its screen need. */
export interface TimedView {
  listState: ListState
  queryParams: Record<string, string | undefined>
  /** The list is polling. */
  live: boolean
  /** The list has no rows. */
  empty?: boolean
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
  dates?: { value: string; label: string }[]
  filters?: TimedFilter[]
  /** The order can be reversed: `filters.order` is then 'asc'. */
  order?: boolean
  /** The date to show instead of an empty today, and the message about it. */
  fallbackDate?: { date: string; words: string }
  /** First among the actions beside the title. */
  actions?: (view: TimedView) => ReactNode
  /** More controls after the filters. */
  tools?: (view: TimedView) => ReactNode
  /** Shown above the rows, about all of them. */
  renderAbove?: (view: TimedView) => ReactNode
  /** Shown in place of the rows; undefined shows the rows. */
  renderInstead?: (view: TimedView) => ReactNode
  /** Added to the empty state of a long period without filters: the origin of the rows. */
  hint?: ReactNode
  /** Shows a text filter. */
  text?: boolean
  /** The first column opens its row. */
  columns: (listState: ListState) => EventColumn<Row>[]
  rowKey: (row: Row) => string
  /** False until the request is known. Default: true. */
  enabled?: boolean
  /** Another key that a URL may use for a row. */
  alternateKey?: (row: Row) => string | null | undefined
  card: (row: Row, listState: ListState) => ReactNode
  /** The content of an open row. */
  detail: (row: Row, listState: ListState) => ReactNode
}

const noQueryParams = () => ({})
const noFilters: TimedFilter[] = []

/** Drops values from the URL that the filters do not offer, so that the query matches the visible filters. */
const dropUnknownFilters = (
  listState: ListState,
  filters: readonly TimedFilter[],
  dates: TimedFilter['options'],
): ListState => {
  const { date = '' } = listState.filters
  const isThere = (id: string, value: string) => {
    if (id === 'date') return formatDateFilter(date) !== undefined || dates.some((option) => option.value === date)
    const filter = filters.find((each) => each.id === id)
    return !filter || filter.pattern?.test(value) || filter.options.some((option) => option.value === value)
  }
  return {
    ...listState,
    filters: Object.fromEntries(Object.entries(listState.filters).filter(([id, value]) => isThere(id, value))),
  }
}

/** A page of the list. If today is empty, a page of the `recent` date instead. */
const useListPage = <Row>(
  props: TimedListProps<Row>,
  listState: ListState,
  asked: Record<string, string | undefined>,
) => {
  const { kind, source, rowKey, alternateKey, fallbackDate, enabled = true } = props
  const { open } = listState.filters
  const isOpen = (row: Row) => open === rowKey(row) || (!!open && open === alternateKey?.(row))
  const from = source(listState.account, listState)
  const list = useTimedQuery(kind, from, listState, asked, isOpen, enabled)
  const isEmptyToday = fallbackDate !== undefined && !listState.filters.date && list.total === 0
  const shown = { ...listState, filters: { ...listState.filters, date: fallbackDate?.date ?? '' } }
  const newest = useTimedQuery(kind, from, shown, asked, isOpen, isEmptyToday)
  if (!isEmptyToday || newest.error || newest.total === 0) return { list, listState, from, isRecent: false }
  const setLive = (live: boolean) => {
    list.setLive(live)
    newest.setLive(live)
  }
  return { list: { ...newest, setLive }, listState: shown, from, isRecent: newest.total !== undefined }
}

/**
 * Does the list have no filter but a long period? `isWidened`: without a date, an empty today shows the `recent` date.
 */
const isLongPeriod = ({ text, filters: { date = '' } }: ListState, active: number, isWidened: boolean): boolean =>
  text === '' && (date === '' ? active === 0 && isWidened : active === 1 && Number(date) >= 7)

/** The state of a list of events: its list state, its page, and the view that its parts need. */
export const useTimedList = <Row>(props: TimedListProps<Row>) => {
  const { toQueryParams = noQueryParams, filters = noFilters, dates = dateOptions } = props
  const ids = ['date', 'open', 'order', 'show', ...filters.map(({ id }) => id)]
  const { listState: said, change } = useListState(ids)
  const listState = dropUnknownFilters(said, filters, dates)
  const activeFilters = toQueryParams(listState)
  const { list, listState: shown, from, isRecent } = useListPage(props, listState, activeFilters)
  const last = list.total === undefined ? undefined : countPages(list.total, listState.pageSize)
  useEffect(() => {
    if (last !== undefined && listState.page > last) change({ page: last })
  })
  const setFilter = (id: string, value: string, page?: number) =>
    change({ filters: { ...listState.filters, [id]: value }, ...(page === undefined ? {} : { page }) })
  const { open: _open, order: _order, show: _show, ...filtering } = listState.filters
  const active = Object.values(filtering).filter(Boolean).length + (listState.account ? 1 : 0)
  const everything = (signal: AbortSignal) => fetchAllTimedPages(from, shown.filters.date ?? '', activeFilters, signal)
  const view: TimedView = {
    listState: shown,
    queryParams: activeFilters,
    live: list.live && listState.page === 1,
    addFilters: (chosen, account = listState.account) =>
      change({ filters: { ...listState.filters, open: '', ...chosen }, account, page: 1 }),
  }
  const order = {
    oldestFirst: listState.filters.order === 'asc',
    onChange: (oldestFirst: boolean) => setFilter('order', oldestFirst ? 'asc' : ''),
  }
  return {
    order: props.order ? order : undefined,
    listState,
    change,
    setFilter,
    list,
    active,
    filtered: listState.text !== '' || active > 0,
    isWide: isLongPeriod(listState, active, props.fallbackDate !== undefined),
    everything,
    view,
    isRecent,
  }
}

export type TimedListState<Row> = ReturnType<typeof useTimedList<Row>>
