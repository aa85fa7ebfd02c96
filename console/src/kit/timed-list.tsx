import { messages } from '@trunkline/contract/messages/recent-call'
import { Columns3, Inbox, Pause, Play } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { late } from '../ui/late'
import { dateOptions, isInstant, sayMoment, sayStretch, stretchOf } from '../lib/call-times'
import { sayProblem } from '../lib/problem'
import { Button, IconButton } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { EventTable, type EventColumn as TableColumn } from '../ui/event-table'
import { FailedState } from '../ui/failed-state'
import { Page } from '../ui/page'
import { PageSize, Pager, PagerSpace } from '../ui/pager'
import { Pick } from '../ui/pick'
import { Status } from '../ui/status'
import { FilterInput, Toolbar, Updated } from '../ui/toolbar'
import { useNarrow } from '../ui/use-narrow'
import { AccountPick } from './account-pick'
import { Export } from './export'
import { useLook } from './look'
import { lastPage, type Look } from './paging'
import css from './timed-list.module.css'
import { everyTimed, useColumns, useTimed, type TimedSource } from './timed'

const LateColumnChoice = late(() => import('../ui/column-choice').then((it) => it.ColumnChoice))

export interface EventColumn<Row> extends TableColumn<Row> {
  /** Shown unless somebody chooses otherwise. */
  usual?: boolean
}

/** A choice of a few values; '' filters nothing. */
export interface TimedPick {
  id: string
  name: string
  options: { value: string; label: string }[]
  /** Any value of this form, chosen elsewhere: it is shown where there is one. */
  elsewhere?: RegExp
}

/** What stands above the rows knows of the list. */
export interface TimedView {
  look: Look
  filters: Record<string, string | undefined>
  /** It is asked for anew again and again. */
  live: boolean
  /** There is nothing in it. */
  empty?: boolean
  /** Shows fewer: these filters besides those that there are. */
  narrow: (picks: Record<string, string>) => void
}

export interface TimedListProps<Row> {
  kind: string
  title: string
  noun: { one: string; many: string }
  /** Where it is asked, for all accounts ('') or one. */
  source: (account: string) => TimedSource<Row>
  /** What the look asks for besides page, account and date. */
  filters?: (look: Look) => Record<string, string | undefined>
  dates?: { value: string; label: string }[]
  picks?: TimedPick[]
  /** What is said of all that is listed. */
  above?: (view: TimedView) => ReactNode
  /** There is a text filter. */
  text?: boolean
  /** The first column is what a row is opened by. */
  columns: (look: Look) => EventColumn<Row>[]
  rowKey: (row: Row) => string
  /** What an address may call a row by as well. */
  alias?: (row: Row) => string | null | undefined
  card: (row: Row, look: Look) => ReactNode
  /** What an open row shows. */
  detail: (row: Row, look: Look) => ReactNode
}

/** A server is asked when the typing has paused for so many milliseconds. */
const typingPause = 1000
const noFilters = () => ({})
const noPicks: TimedPick[] = []

/** Of what an address says, the choices that there are: what is asked for is what the filters show. */
const offered = (look: Look, picks: readonly TimedPick[], dates: TimedPick['options']): Look => {
  const { date = '' } = look.picks
  const isThere = (id: string, value: string) => {
    if (id === 'date') return isInstant(date) || stretchOf(date) || dates.some((option) => option.value === date)
    const pick = picks.find((each) => each.id === id)
    return !pick || pick.elsewhere?.test(value) || pick.options.some((option) => option.value === value)
  }
  return { ...look, picks: Object.fromEntries(Object.entries(look.picks).filter(([id, value]) => isThere(id, value))) }
}

const useTimedList = <Row,>(props: TimedListProps<Row>) => {
  const { kind, source, filters = noFilters, picks = noPicks, dates = dateOptions, rowKey, alias } = props
  const { look: said, change } = useLook(['date', 'open', ...picks.map(({ id }) => id)])
  const look = offered(said, picks, dates)
  const from = source(look.account)
  const asked = filters(look)
  const { open } = look.picks
  const list = useTimed(kind, from, look, asked, (row) => open === rowKey(row) || (!!open && open === alias?.(row)))
  const last = list.total === undefined ? undefined : lastPage(list.total, look.pageSize)
  useEffect(() => {
    if (last !== undefined && look.page > last) change({ page: last })
  })
  const pick = (id: string, value: string, page?: number) =>
    change({ picks: { ...look.picks, [id]: value }, ...(page === undefined ? {} : { page }) })
  const { open: _open, ...filtering } = look.picks
  const active = Object.values(filtering).filter(Boolean).length + (look.account ? 1 : 0)
  const everything = (signal: AbortSignal) => everyTimed(from, look.picks.date ?? '', asked, signal)
  const view: TimedView = {
    look,
    filters: asked,
    live: list.live && look.page === 1,
    narrow: (chosen) => change({ picks: { ...look.picks, open: '', ...chosen }, page: 1 }),
  }
  return { look, change, pick, list, active, filtered: look.text !== '' || active > 0, everything, view }
}

type State<Row> = ReturnType<typeof useTimedList<Row>>

/** The date filter. A moment or a stretch of time in a link is a choice as well. */
const DatePick = <Row,>({ state: { look, pick }, dates }: { state: State<Row>; dates: TimedPick['options'] }) => {
  const { date = '' } = look.picks
  const stretch = stretchOf(date)
  const label = stretch ? sayStretch(stretch) : isInstant(date) && sayMoment(date)
  const linked = label ? [{ value: date, label }] : []
  return (
    <Pick name="Date" value={date} rest="" options={[...dates, ...linked]} onChange={(value) => pick('date', value)} />
  )
}

const Live = ({ live, paged, onChange }: { live: boolean; paged: boolean; onChange: (live: boolean) => void }) =>
  paged ? null : (
    <span className={css.live}>
      <span role="status">
        {live ? null : (
          <Status kind="off" icon={Pause}>
            Paused
          </Status>
        )}
      </span>
      <IconButton
        icon={live ? Pause : Play}
        glyph={14}
        label={live ? 'Pause live refresh' : 'Resume live refresh'}
        onClick={() => onChange(!live)}
      />
    </span>
  )

const shownPicks = (picks: readonly TimedPick[], look: Look): TimedPick[] =>
  picks.flatMap((pick) => {
    const value = look.picks[pick.id]
    if (!pick.elsewhere) return pick
    if (!value) return []
    return pick.options.some((option) => option.value === value)
      ? pick
      : { ...pick, options: [...pick.options, { value, label: value }] }
  })

/** What can be done with all that is listed. It stands beside the title: below, the filters need the room. */
const Actions = <Row,>({
  noun,
  state,
  onColumns,
}: TimedListProps<Row> & { state: State<Row>; onColumns: () => void }) => {
  const { look, list, everything } = state
  // cards have no columns
  const narrow = useNarrow()
  return (
    <>
      {list.total ? <Export of={{ noun }} rows={everything as never} /> : null}
      {narrow ? null : <IconButton icon={Columns3} glyph={14} label="Columns" onClick={onColumns} />}
      <Live live={list.live} paged={look.page > 1} onChange={list.setLive} />
      <Updated at={list.updatedAt} outdated={list.outdated} pending={list.refreshing} onRefresh={list.refresh} />
    </>
  )
}

const Tools = <Row,>(props: TimedListProps<Row> & { state: State<Row> }) => {
  const { picks = noPicks, dates = dateOptions, text, state } = props
  const { look, change, pick, active } = state
  return (
    <Toolbar
      active={active}
      filter={
        text ? (
          <FilterInput
            label="Filter"
            value={look.text}
            debounce={typingPause}
            onChange={(value) => change({ text: value })}
          />
        ) : null
      }
    >
      <AccountPick label="Account" value={look.account} onChange={(account) => change({ account })} />
      <DatePick state={state} dates={dates} />
      {shownPicks(picks, look).map(({ id, name, options }) => (
        <Pick
          key={id}
          name={name}
          value={look.picks[id] ?? ''}
          rest=""
          options={options}
          onChange={(value) => pick(id, value)}
        />
      ))}
      <PageSize pageSize={look.pageSize} onPageSize={(pageSize) => change({ pageSize })} />
    </Toolbar>
  )
}

const Nothing = <Row,>({ list, look, filtered, change, pick }: State<Row>) =>
  list.error ? (
    <FailedState
      message={sayProblem(list.error)}
      text="The list could not be loaded."
      onRetry={list.refresh}
      pending={list.refreshing}
    />
  ) : (
    <EmptyState icon={Inbox} title={messages.none}>
      {/* what a badge or a colleague speaks of may be of yesterday */}
      {look.picks.date ? null : <Button onClick={() => pick('date', '7')}>Show the last 7 days</Button>}
      {filtered ? <Button onClick={() => change({ text: '', account: '', picks: {} })}>Clear filters</Button> : null}
    </EmptyState>
  )

const Pages = <Row,>({ list, look, change }: State<Row>) => {
  if (list.loading) return <PagerSpace />
  if (list.error || list.total === undefined) return null
  return (
    <Pager
      total={list.total}
      page={look.page}
      pageSize={look.pageSize}
      onPage={(page) => change({ page })}
      onPageSize={(pageSize) => change({ pageSize })}
    />
  )
}

/** A list of what happened, the newest first: filters, rows that open in place, pages; its state stands in the address. */
export const TimedList = <Row extends object>(props: TimedListProps<Row>) => {
  const { kind, title, rowKey, alias, card, detail, above } = props
  const state = useTimedList(props)
  const { list, look, pick } = state
  const all = props.columns(look)
  const usual = all.filter((column) => column.usual).map(({ id }) => id)
  const { shown, choose } = useColumns(kind, usual)
  const [choosing, setChoosing] = useState(false)
  const [first, ...others] = all
  const columns = first ? [first, ...others.filter(({ id }) => shown.includes(id))] : []
  const nothing = list.error !== null || (!list.loading && list.rows.length === 0)
  return (
    <Page
      title={title}
      count={list.total}
      actions={<Actions {...props} state={state} onColumns={() => setChoosing(true)} />}
    >
      <Tools {...props} state={state} />
      <EventTable
        label={title}
        columns={columns}
        rows={list.rows}
        rowKey={rowKey}
        alias={alias}
        open={look.picks.open}
        onOpen={(key) => pick('open', key ?? '', look.page)}
        detail={(row) => detail(row, look)}
        card={(row) => card(row, look)}
        // in one place, whether there are rows or not: what is asked there, as whether to hang up, stays asked
        above={above?.({ ...state.view, empty: nothing })}
        nothing={nothing ? <Nothing {...state} /> : null}
        loading={list.loading}
        refreshing={list.refreshing}
      />
      <Pages {...state} />
      {choosing ? (
        <Suspense>
          <LateColumnChoice
            columns={others}
            shown={shown}
            onChange={choose}
            onReset={() => choose(undefined)}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}
