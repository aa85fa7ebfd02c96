import { messages } from '@trunkline/contract/messages/recent-call'
import { Columns3, Inbox, Pause, Play } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { dateOptions } from '../../lib/call-times'
import { getErrorMessage } from '../../lib/problem'
import { Button, IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { EventTable } from '../../ui/table/event-table'
import { FailedState } from '../../ui/feedback/failed-state'
import { Page } from '../../ui/shell/page'
import { PageSize, Pager, PagerSpace } from '../../ui/table/pager'
import { FilterSelect } from '../../ui/table/filter-select'
import { Status } from '../../ui/status'
import { FilterInput, Toolbar, UpdatedAt } from '../../ui/table/toolbar'
import { useMaxWidth, useIsNarrow } from '../../ui/shell/use-is-narrow'
import { AccountFilter } from '../list/account-filter'
import { ExportButton } from '../list/export'
import type { ListState } from '../list/paging'
import { useVisibleColumns } from './timed-query'
import { DateFilter } from './date-filter'
import css from './timed-list.module.css'
import {
  useTimedList,
  type TimedListProps,
  type TimedFilter,
  type TimedListState,
  type TimedView,
} from './use-timed-list'

const LateColumnChoice = lazyComponent(() => import('../../ui/table/column-dialog').then((it) => it.ColumnDialog))

/** The delay after typing before a request to the server, in milliseconds. */
const typingPause = 1000
const noPicks: TimedFilter[] = []

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

const shownPicks = (picks: readonly TimedFilter[], look: ListState): TimedFilter[] =>
  picks.flatMap((pick) => {
    const value = look.picks[pick.id]
    if (pick.hidden) return []
    if (!pick.elsewhere) return pick
    if (!value) return []
    return pick.options.some((option) => option.value === value)
      ? pick
      : { ...pick, options: [...pick.options, { value, label: value }] }
  })

/** Actions for the complete list. Beside the title, because the filters need the space below. */
const Actions = <Row,>({
  noun,
  actions,
  state,
  onColumns,
}: TimedListProps<Row> & { state: TimedListState<Row>; onColumns: () => void }) => {
  const { look, list, everything, view } = state
  // cards have no columns
  const narrow = useIsNarrow()
  return (
    <>
      {actions?.(view)}
      {list.total ? <ExportButton of={{ noun }} rows={everything as never} /> : null}
      {narrow ? null : <IconButton icon={Columns3} glyph={14} label="Columns" onClick={onColumns} />}
      <Live live={list.live} paged={look.page > 1} onChange={list.setLive} />
      <UpdatedAt at={list.updatedAt} outdated={list.outdated} pending={list.refreshing} onRefresh={list.refresh} />
    </>
  )
}

const orders = [
  { value: '', label: 'newest first' },
  { value: 'asc', label: 'oldest first' },
]

const Tools = <Row,>(props: TimedListProps<Row> & { state: TimedListState<Row> }) => {
  const { picks = noPicks, dates = dateOptions, text, order, tools, state } = props
  const { look, change, pick, active, view } = state
  // cards have no column heading that reverses the order
  const narrow = useIsNarrow()
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
      <AccountFilter label="Account" value={look.account} onChange={(account) => change({ account })} />
      <DateFilter value={look.picks.date ?? ''} dates={dates} onChange={(date) => pick('date', date)} />
      {shownPicks(picks, look).map(({ id, name, options }) => (
        <FilterSelect
          key={id}
          name={name}
          value={look.picks[id] ?? ''}
          rest=""
          options={options}
          onChange={(value) => pick(id, value)}
        />
      ))}
      {tools?.(view)}
      {order && narrow ? (
        <FilterSelect
          name="Order"
          value={look.picks.order ?? ''}
          rest=""
          options={orders}
          onChange={(value) => pick('order', value)}
        />
      ) : null}
      <PageSize pageSize={look.pageSize} onPageSize={(pageSize) => change({ pageSize })} />
    </Toolbar>
  )
}

const Nothing = <Row,>(props: TimedListState<Row> & { hint: ReactNode }) => {
  const { list, look, filtered, isWide, change, pick, hint } = props
  return list.error ? (
    <FailedState
      message={getErrorMessage(list.error)}
      text="The list could not be loaded."
      onRetry={list.refresh}
      pending={list.refreshing}
    />
  ) : (
    <EmptyState icon={Inbox} title={messages.none} text={isWide ? hint : undefined}>
      {/* an item behind a badge, or one that a colleague mentioned, may be from yesterday */}
      {look.picks.date ? null : <Button onClick={() => pick('date', '7')}>Show the last 7 days</Button>}
      {filtered ? <Button onClick={() => change({ text: '', account: '', picks: {} })}>Clear filters</Button> : null}
    </EmptyState>
  )
}

const Pages = <Row,>({ list, look, change }: TimedListState<Row>) => {
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

const Above = <Row,>({
  above,
  recent,
  view,
  isRecent,
}: TimedListProps<Row> & { view: TimedView; isRecent: boolean }) => (
  <>
    {above?.(view)}
    {isRecent ? <p className={css.recent}>{recent?.words}</p> : null}
  </>
)

/** A list of events, newest first: filters, rows that expand in place, pages. Its state is in the URL. */
export const TimedList = <Row extends object>(props: TimedListProps<Row>) => {
  const { kind, title, rowKey, alias, card, detail, instead } = props
  const state = useTimedList(props)
  const { list, look, pick } = state
  const all = props.columns(look)
  const hasLittleRoom = useMaxWidth(1099)
  const usual = all.filter((column) => column.usual && !(column.wide && hasLittleRoom)).map(({ id }) => id)
  const { shown, choose } = useVisibleColumns(kind, usual)
  const [choosing, setChoosing] = useState(false)
  const [first, ...others] = all
  const columns = first ? [first, ...others.filter(({ id }) => shown.includes(id))] : []
  const nothing = list.error !== null || (!list.loading && list.rows.length === 0)
  const view = { ...state.view, empty: nothing }
  const other = instead?.(view)
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
        above={other ? null : <Above {...props} view={view} isRecent={state.isRecent} />}
        nothing={other ?? (nothing ? <Nothing {...state} hint={props.hint} /> : null)}
        {...(state.order ? { order: state.order } : {})}
        loading={list.loading}
        refreshing={list.refreshing}
      />
      {other ? null : <Pages {...state} />}
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
