import { useEffect, type ReactNode } from 'react'
import { dateOptions, sayDate } from '../lib/call-times'
import type { EventColumn as TableColumn } from '../ui/event-columns'
import { useLook } from './look'
import { lastPage, type Look } from './paging'
import { everyTimed, useTimed, type TimedSource } from './timed'

export interface EventColumn<Row> extends TableColumn<Row> {
  /** Shown unless somebody chooses otherwise. */
  usual?: boolean
  /** Not among the usual columns in a window of less than 1100 px. */
  wide?: boolean
}

/** A choice of a few values; '' filters nothing. */
export interface TimedPick {
  id: string
  name: string
  options: { value: string; label: string }[]
  /** Any value of this form is accepted as well; it is shown where there is one. */
  elsewhere?: RegExp
  /** The toolbar leaves it to `tools`. */
  hidden?: boolean
}

/** What parts of a screen know of the list that they belong to. */
export interface TimedView {
  look: Look
  filters: Record<string, string | undefined>
  /** The list is refreshed again and again. */
  live: boolean
  /** There is nothing in it. */
  empty?: boolean
  /** Narrows the list by these filters besides those that are set, and by an account if one is given, from the first page on. */
  narrow: (picks: Record<string, string>, account?: string) => void
}

export interface TimedListProps<Row> {
  kind: string
  title: string
  noun: { singular: string; plural: string }
  /** Where it is asked, for all accounts ('') or one. */
  source: (account: string, look: Look) => TimedSource<Row>
  /** What the look asks for besides page, account and date. */
  filters?: (look: Look) => Record<string, string | undefined>
  dates?: { value: string; label: string }[]
  picks?: TimedPick[]
  /** The list can be turned round: `picks.order` is 'asc' then. */
  order?: boolean
  /** The date that is shown instead of an empty today, and the words that say so. */
  recent?: { date: string; words: string }
  /** At the beginning of the actions beside the title. */
  actions?: (view: TimedView) => ReactNode
  /** Filters after the picks. */
  tools?: (view: TimedView) => ReactNode
  /** What is said of all that is listed. */
  above?: (view: TimedView) => ReactNode
  /** What stands in place of the rows; undefined for the rows. */
  instead?: (view: TimedView) => ReactNode
  /** Added to the empty state of a long period without filters: where the rows come from. */
  hint?: ReactNode
  /** There is a text filter. */
  text?: boolean
  /** The first column is what a row is opened by. */
  columns: (look: Look) => EventColumn<Row>[]
  rowKey: (row: Row) => string
  /** False while it is not known yet what to request; true unless given. */
  enabled?: boolean
  /** What an address may call a row by as well. */
  alias?: (row: Row) => string | null | undefined
  card: (row: Row, look: Look) => ReactNode
  /** What an open row shows. */
  detail: (row: Row, look: Look) => ReactNode
}

const noFilters = () => ({})
const noPicks: TimedPick[] = []

/** Of what an address says, the choices that there are: what is asked for is what the filters show. */
const offered = (look: Look, picks: readonly TimedPick[], dates: TimedPick['options']): Look => {
  const { date = '' } = look.picks
  const isThere = (id: string, value: string) => {
    if (id === 'date') return sayDate(date) !== undefined || dates.some((option) => option.value === date)
    const pick = picks.find((each) => each.id === id)
    return !pick || pick.elsewhere?.test(value) || pick.options.some((option) => option.value === value)
  }
  return { ...look, picks: Object.fromEntries(Object.entries(look.picks).filter(([id, value]) => isThere(id, value))) }
}

/** A page of the list and, where today is empty, one of the newest rows in its place. */
const usePage = <Row>(props: TimedListProps<Row>, look: Look, asked: Record<string, string | undefined>) => {
  const { kind, source, rowKey, alias, recent, enabled = true } = props
  const { open } = look.picks
  const isOpen = (row: Row) => open === rowKey(row) || (!!open && open === alias?.(row))
  const from = source(look.account, look)
  const list = useTimed(kind, from, look, asked, isOpen, enabled)
  const isEmptyToday = recent !== undefined && !look.picks.date && list.total === 0
  const shown = { ...look, picks: { ...look.picks, date: recent?.date ?? '' } }
  const newest = useTimed(kind, from, shown, asked, isOpen, isEmptyToday)
  if (!isEmptyToday || newest.error || newest.total === 0) return { list, look, from, isRecent: false }
  const setLive = (live: boolean) => {
    list.setLive(live)
    newest.setLive(live)
  }
  return { list: { ...newest, setLive }, look: shown, from, isRecent: newest.total !== undefined }
}

/** Whether a look has no filter but a long period; without a date, an empty today was widened to the `recent` one. */
const isWideLook = ({ text, picks: { date = '' } }: Look, active: number, isWidened: boolean): boolean =>
  text === '' && (date === '' ? active === 0 && isWidened : active === 1 && Number(date) >= 7)

/** The state of a list of what happened: its look, its page, and what its parts know of both. */
export const useTimedList = <Row>(props: TimedListProps<Row>) => {
  const { filters = noFilters, picks = noPicks, dates = dateOptions } = props
  const ids = ['date', 'open', 'order', 'show', ...picks.map(({ id }) => id)]
  const { look: said, change } = useLook(ids)
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
  const everything = (signal: AbortSignal) => everyTimed(from, shown.picks.date ?? '', activeFilters, signal)
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

export type TimedState<Row> = ReturnType<typeof useTimedList<Row>>
