import { useEffect, type ReactNode } from 'react'
import { dateOptions, formatDateFilter } from '../../lib/call-times'
import type { EventColumn as TableColumn } from '../../ui/table/event-columns'
import { useListState } from '../list/list-state'
import { lastPage, type ListState } from '../list/paging'
import { fetchAllTimedPages, useTimedQuery, type TimedSource } from './timed-query'

export interface EventColumn<Row> extends TableColumn<Row> {
  /** Visible by default. */
  usual?: boolean
  /** Hidden by default in windows narrower than 1100 px. */
  wide?: boolean
}

/** A filter with a few values; '' shows all rows. */
export interface TimedFilter {
  id: string
  name: string
  options: { value: string; label: string }[]
  /** Also accepts any value of this pattern. The toolbar shows the filter only while it has a value. */
  elsewhere?: RegExp
  /** `tools` renders the filter instead of the toolbar. */
  hidden?: boolean
}

/** The information about a list that parts of its screen need. */
export interface TimedView {
  look: ListState
  filters: Record<string, string | undefined>
  /** The list is polling. */
  live: boolean
  /** The list has no rows. */
  empty?: boolean
  /** Adds these filters, and an account if given, and returns to the first page. */
  narrow: (picks: Record<string, string>, account?: string) => void
}

export interface TimedListProps<Row> {
  kind: string
  title: string
  noun: { singular: string; plural: string }
  /** The source of the rows, for all accounts ('') or one. */
  source: (account: string, look: ListState) => TimedSource<Row>
  /** The query parameters besides page, account and date. */
  filters?: (look: ListState) => Record<string, string | undefined>
  dates?: { value: string; label: string }[]
  picks?: TimedFilter[]
  /** The order can be reversed: `picks.order` is then 'asc'. */
  order?: boolean
  /** The date to show instead of an empty today, and the message about it. */
  recent?: { date: string; words: string }
  /** First among the actions beside the title. */
  actions?: (view: TimedView) => ReactNode
  /** Filters after the picks. */
  tools?: (view: TimedView) => ReactNode
  /** Shown above the rows, about all of them. */
  above?: (view: TimedView) => ReactNode
  /** Shown in place of the rows; undefined shows the rows. */
  instead?: (view: TimedView) => ReactNode
  /** Added to the empty state of a long period without filters: the origin of the rows. */
  hint?: ReactNode
  /** Shows a text filter. */
  text?: boolean
  /** The first column opens its row. */
  columns: (look: ListState) => EventColumn<Row>[]
  rowKey: (row: Row) => string
  /** False until the request is known. Default: true. */
  enabled?: boolean
  /** Another key that a URL may use for a row. */
  alias?: (row: Row) => string | null | undefined
  card: (row: Row, look: ListState) => ReactNode
  /** The content of an open row. */
  detail: (row: Row, look: ListState) => ReactNode
}

const noFilters = () => ({})
const noPicks: TimedFilter[] = []

/** Drops values from the URL that the filters do not offer, so that the query matches the visible filters. */
const offered = (look: ListState, picks: readonly TimedFilter[], dates: TimedFilter['options']): ListState => {
  const { date = '' } = look.picks
  const isThere = (id: string, value: string) => {
    if (id === 'date') return formatDateFilter(date) !== undefined || dates.some((option) => option.value === date)
    const pick = picks.find((each) => each.id === id)
    return !pick || pick.elsewhere?.test(value) || pick.options.some((option) => option.value === value)
  }
  return { ...look, picks: Object.fromEntries(Object.entries(look.picks).filter(([id, value]) => isThere(id, value))) }
}

/** A page of the list. If today is empty, a page of the `recent` date instead. */
const usePage = <Row>(props: TimedListProps<Row>, look: ListState, asked: Record<string, string | undefined>) => {
  const { kind, source, rowKey, alias, recent, enabled = true } = props
  const { open } = look.picks
  const isOpen = (row: Row) => open === rowKey(row) || (!!open && open === alias?.(row))
  const from = source(look.account, look)
  const list = useTimedQuery(kind, from, look, asked, isOpen, enabled)
  const isEmptyToday = recent !== undefined && !look.picks.date && list.total === 0
  const shown = { ...look, picks: { ...look.picks, date: recent?.date ?? '' } }
  const newest = useTimedQuery(kind, from, shown, asked, isOpen, isEmptyToday)
  if (!isEmptyToday || newest.error || newest.total === 0) return { list, look, from, isRecent: false }
  const setLive = (live: boolean) => {
    list.setLive(live)
    newest.setLive(live)
  }
  return { list: { ...newest, setLive }, look: shown, from, isRecent: newest.total !== undefined }
}

/**
 * Does the list have no filter but a long period? `isWidened`: without a date, an empty today shows the `recent` date.
 */
const isWideLook = ({ text, picks: { date = '' } }: ListState, active: number, isWidened: boolean): boolean =>
  text === '' && (date === '' ? active === 0 && isWidened : active === 1 && Number(date) >= 7)

/** The state of a list of events: its list state, its page, and the view that its parts need. */
export const useTimedList = <Row>(props: TimedListProps<Row>) => {
  const { filters = noFilters, picks = noPicks, dates = dateOptions } = props
  const ids = ['date', 'open', 'order', 'show', ...picks.map(({ id }) => id)]
  const { look: said, change } = useListState(ids)
  const look = offered(said, picks, dates)
  const activeFilters = filters(look)
  const { list, look: shown, from, isRecent } = usePage(props, look, activeFilters)
  const last = list.total === undefined ? undefined : lastPage(list.total, look.pageSize)
  useEffect(() => {
    if (last !== undefined && look.page > last) change({ page: last })
  })
  const pick = (id: string, value: string, page?: number) =>
    change({ picks: { ...look.picks, [id]: value }, ...(page === undefined ? {} : { page }) })
  const { open: _open, order: _order, show: _show, ...filtering } = look.picks
  const active = Object.values(filtering).filter(Boolean).length + (look.account ? 1 : 0)
  const everything = (signal: AbortSignal) => fetchAllTimedPages(from, shown.picks.date ?? '', activeFilters, signal)
  const view: TimedView = {
    look: shown,
    filters: activeFilters,
    live: list.live && look.page === 1,
    narrow: (chosen, account = look.account) =>
      change({ picks: { ...look.picks, open: '', ...chosen }, account, page: 1 }),
  }
  const order = {
    oldestFirst: look.picks.order === 'asc',
    onChange: (oldestFirst: boolean) => pick('order', oldestFirst ? 'asc' : ''),
  }
  return {
    order: props.order ? order : undefined,
    look,
    change,
    pick,
    list,
    active,
    filtered: look.text !== '' || active > 0,
    isWide: isWideLook(look, active, props.recent !== undefined),
    everything,
    view,
    isRecent,
  }
}

export type TimedListState<Row> = ReturnType<typeof useTimedList<Row>>
