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
const noFilters: TimedFilter[] = []

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
        iconSize={14}
        label={live ? 'Pause live refresh' : 'Resume live refresh'}
        onClick={() => onChange(!live)}
      />
    </span>
  )

const shownFilters = (filters: readonly TimedFilter[], listState: ListState): TimedFilter[] =>
  filters.flatMap((filter) => {
    const value = listState.filters[filter.id]
    if (filter.hidden) return []
    if (!filter.pattern) return filter
    if (!value) return []
    return filter.options.some((option) => option.value === value)
      ? filter
      : { ...filter, options: [...filter.options, { value, label: value }] }
  })

/** Actions for the complete list. Beside the title, because the filters need the space below. */
const Actions = <Row,>({
  noun,
  actions,
  state,
  onColumns,
}: TimedListProps<Row> & { state: TimedListState<Row>; onColumns: () => void }) => {
  const { listState, list, everything, view } = state
  // cards have no columns
  const narrow = useIsNarrow()
  return (
    <>
      {actions?.(view)}
      {list.total ? <ExportButton resource={{ noun }} rows={everything as never} /> : null}
      {narrow ? null : <IconButton icon={Columns3} iconSize={14} label="Columns" onClick={onColumns} />}
      <Live live={list.live} paged={listState.page > 1} onChange={list.setLive} />
      <UpdatedAt at={list.updatedAt} outdated={list.outdated} pending={list.refreshing} onRefresh={list.refresh} />
    </>
  )
}

const orders = [
  { value: '', label: 'newest first' },
  { value: 'asc', label: 'oldest first' },
]

const Tools = <Row,>(props: TimedListProps<Row> & { state: TimedListState<Row> }) => {
  const { filters = noFilters, dates = dateOptions, text, order, tools, state } = props
  const { listState, change, setFilter, active, view } = state
  // cards have no column heading that reverses the order
  const narrow = useIsNarrow()
  return (
    <Toolbar
      active={active}
      filter={
        text ? (
          <FilterInput
            label="Filter"
            value={listState.text}
            debounce={typingPause}
            onChange={(value) => change({ text: value })}
          />
        ) : null
      }
    >
      <AccountFilter label="Account" value={listState.account} onChange={(account) => change({ account })} />
      <DateFilter value={listState.filters.date ?? ''} dates={dates} onChange={(date) => setFilter('date', date)} />
      {shownFilters(filters, listState).map(({ id, name, options }) => (
        <FilterSelect
          key={id}
          name={name}
          value={listState.filters[id] ?? ''}
          inactiveValue=""
          options={options}
          onChange={(value) => setFilter(id, value)}
        />
      ))}
      {tools?.(view)}
      {order && narrow ? (
        <FilterSelect
          name="Order"
          value={listState.filters.order ?? ''}
          inactiveValue=""
          options={orders}
          onChange={(value) => setFilter('order', value)}
        />
      ) : null}
      <PageSize pageSize={listState.pageSize} onPageSize={(pageSize) => change({ pageSize })} />
    </Toolbar>
  )
}

const Nothing = <Row,>(props: TimedListState<Row> & { hint: ReactNode }) => {
  const { list, listState, filtered, isWide, change, setFilter, hint } = props
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
      {listState.filters.date ? null : <Button onClick={() => setFilter('date', '7')}>Show the last 7 days</Button>}
      {filtered ? <Button onClick={() => change({ text: '', account: '', filters: {} })}>Clear filters</Button> : null}
    </EmptyState>
  )
}

const Pages = <Row,>({ list, listState, change }: TimedListState<Row>) => {
  if (list.loading) return <PagerSpace />
  if (list.error || list.total === undefined) return null
  return (
    <Pager
      total={list.total}
      page={listState.page}
      pageSize={listState.pageSize}
      onPage={(page) => change({ page })}
      onPageSize={(pageSize) => change({ pageSize })}
    />
  )
}

const Above = <Row,>({
  renderAbove,
  fallbackDate,
  view,
  isRecent,
}: TimedListProps<Row> & { view: TimedView; isRecent: boolean }) => (
  <>
    {renderAbove?.(view)}
    {isRecent ? <p className={css.recent}>{fallbackDate?.words}</p> : null}
  </>
)

/** A list of events, newest first: filters, rows that expand in place, pages. Its state is in the URL. */
export const TimedList = <Row extends object>(props: TimedListProps<Row>) => {
  const { kind, title, rowKey, alternateKey, card, detail, renderInstead } = props
  const state = useTimedList(props)
  const { list, listState, setFilter } = state
  const all = props.columns(listState)
  const hasLittleRoom = useMaxWidth(1099)
  const defaultColumns = all
    .filter((column) => column.isDefault && !(column.hiddenWhenNarrow && hasLittleRoom))
    .map(({ id }) => id)
  const { shown, choose } = useVisibleColumns(kind, defaultColumns)
  const [choosing, setChoosing] = useState(false)
  const [first, ...others] = all
  const columns = first ? [first, ...others.filter(({ id }) => shown.includes(id))] : []
  const nothing = list.error !== null || (!list.loading && list.rows.length === 0)
  const view = { ...state.view, empty: nothing }
  const other = renderInstead?.(view)
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
        alias={alternateKey}
        open={listState.filters.open}
        onOpen={(key) => setFilter('open', key ?? '', listState.page)}
        detail={(row) => detail(row, listState)}
        card={(row) => card(row, listState)}
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
