import { messages } from '@trunkline/contract/messages/recent-call'
import { Columns3, Inbox, Pause, Play } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { getErrorMessage } from '../../lib/problem'
import { Button, IconButton } from '../../ui/button'
import { EmptyState } from '../../ui/feedback/empty-state'
import { EventTable } from '../../ui/table/event-table'
import { FailedState } from '../../ui/feedback/failed-state'
import { ScreenTitle } from '../../ui/shell/screen-layout'
import { SplitHandle } from '../../ui/shell/split-handle'
import { PageSize, Pager, PagerPlaceholder } from '../../ui/table/pager'
import { FilterSelect } from '../../ui/table/filter-select'
import { Status } from '../../ui/status'
import { FilterInput, Toolbar, UpdatedAt } from '../../ui/table/toolbar'
import { useMaxWidth, useIsNarrow } from '../../ui/shell/use-window-width'
import { AccountFilter } from '../list/account-filter'
import { ExportButton } from '../list/export'
import { ViewsButton } from '../list/views-button'
import { useVisibleColumns } from '../list/visible-columns'
import { DateFilter } from './date-filter'
import css from './event-list.module.css'
import {
  useEventList,
  type EventColumn,
  type EventListProps,
  type EventListModel,
  type EventListView,
} from './use-event-list'
import { renderParts } from './render-parts'
import { listWidthRange, useListWidth } from './use-list-width'

const LazyColumnDialog = lazyComponent(() =>
  import('../../ui/table/column-dialog').then((module) => module.ColumnDialog),
)

/** The delay after typing before a request to the server. */
const typingDelayMs = 1000

interface LiveSwitchProps {
  live: boolean
  onChange: (live: boolean) => void
}

/** Pauses and resumes the polling of a list. */
const LiveSwitch = ({ live, onChange }: LiveSwitchProps) => (
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

type ListPartProps<Row> = EventListProps<Row> & {
  listModel: EventListModel<Row>
  /** A row is open beside the list. */
  isBeside: boolean
}

/** Actions for the complete list. Beside the title, because the filters need the space below. */
const TitleActions = <Row,>({
  noun,
  renderActions,
  listModel,
  isBeside,
  columnIds,
  onColumns,
}: ListPartProps<Row> & { columnIds: string[]; onColumns: () => void }) => {
  const { listState, list, fetchAllRows, view, isReplaced } = listModel
  // cards and items have no columns
  const hasColumns = !useIsNarrow() && !isBeside
  return (
    <>
      {renderActions?.(view)}
      <ViewsButton listState={listState} columnIds={columnIds} />
      {isReplaced ? null : (
        <>
          {list.total ? <ExportButton resource={{ noun }} fetchRows={fetchAllRows as never} /> : null}
          {!hasColumns ? null : <IconButton icon={Columns3} iconSize={14} label="Columns" onClick={onColumns} />}
          {listState.page > 1 ? null : <LiveSwitch live={list.isLive} onChange={list.setIsLive} />}
          <UpdatedAt
            updatedAt={list.updatedAt}
            outdated={list.isOutdated}
            pending={list.refreshing}
            onRefresh={list.refresh}
          />
        </>
      )}
    </>
  )
}

const orderOptions = [
  { value: '', label: 'newest first' },
  { value: 'asc', label: 'oldest first' },
]

const ListToolbar = <Row,>(props: ListPartProps<Row>) => {
  const { hasTextFilter, isReversible, renderFilters, listModel, isBeside } = props
  const { listState, change, setFilter, activeFilterCount, view, isReplaced, isFilterShown, shownFilters } = listModel
  // cards have no column heading that reverses the order; beside an open row, it can only return to the default
  const isNarrow = useIsNarrow()
  const hasOrder = isReversible && !isReplaced && (isNarrow || (isBeside && listState.filters.order === 'asc'))
  return (
    <Toolbar
      activeCount={activeFilterCount}
      onClear={listModel.clearFilters}
      filter={
        hasTextFilter ? (
          <FilterInput
            key={listModel.textFilterKey}
            label="Filter"
            value={listState.text}
            debounceMs={typingDelayMs}
            onChange={(value) => change({ text: value })}
          />
        ) : null
      }
    >
      <AccountFilter label="Account" value={listState.account} onChange={(account) => change({ account })} />
      {isFilterShown('date') ? (
        <DateFilter value={listState.filters.date ?? ''} onChange={(date) => setFilter('date', date)} />
      ) : null}
      {shownFilters.map(({ id, name, options }) => (
        <FilterSelect
          key={id}
          name={name}
          value={listState.filters[id] ?? ''}
          inactiveValue=""
          options={options}
          onChange={(value) => setFilter(id, value)}
        />
      ))}
      {renderFilters?.(view)}
      {hasOrder ? (
        <FilterSelect
          name="Order"
          value={listState.filters.order ?? ''}
          inactiveValue=""
          options={orderOptions}
          onChange={(value) => setFilter('order', value)}
        />
      ) : null}
      {isReplaced ? null : <PageSize pageSize={listState.pageSize} onPageSize={(pageSize) => change({ pageSize })} />}
    </Toolbar>
  )
}

const NoEvents = <Row,>(props: EventListModel<Row> & { hint: ReactNode }) => {
  const { list, listState, isFiltered, isLongPeriod, clearFilters, setFilter, hint } = props
  return list.error ? (
    <FailedState
      message={getErrorMessage(list.error)}
      text="The list could not be loaded."
      onRetry={list.refresh}
      pending={list.refreshing}
    />
  ) : (
    <EmptyState icon={Inbox} title={messages.none} text={isLongPeriod ? hint : undefined}>
      {/* a user who looks for a certain call or alert may not know that it is older than today */}
      {listState.filters.date ? null : <Button onClick={() => setFilter('date', '7')}>Show the last 7 days</Button>}
      {isFiltered ? <Button onClick={clearFilters}>Clear filters</Button> : null}
    </EmptyState>
  )
}

const ListPager = <Row,>({ list, listState, change }: EventListModel<Row>) => {
  if (list.loading) return <PagerPlaceholder />
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

const AboveRows = <Row,>({
  renderAbove,
  fallbackDate,
  view,
  showsFallback,
}: EventListProps<Row> & { view: EventListView; showsFallback: boolean }) => (
  <>
    {renderAbove?.(view)}
    {showsFallback ? <p className={css.fallbackNote}>{fallbackDate?.message}</p> : null}
  </>
)

/** How rows open beside the list, if they do. */
const getRowsBeside = <Row,>({ addresses }: EventListProps<Row>, listModel: EventListModel<Row>, isOpen: boolean) =>
  addresses?.opensBeside
    ? {
        isOpen,
        createHref: listModel.createHref,
        renderItem: (row: Row) => addresses.renderItem(row, listModel.listState),
        getGroup: addresses.getGroup,
      }
    : undefined

interface ListBodyProps<Row> {
  listModel: EventListModel<Row>
  visibleColumns: EventColumn<Row>[]
  view: EventListView
  /** Shown in place of the rows. */
  content: ReactNode
  /** What is open beside the list. */
  beside: ReactNode
}

/** The rows with their pages, and the row that is open beside them, or in a narrow window in their place. */
const ListBody = <Row,>(props: EventListProps<Row> & ListBodyProps<Row>) => {
  const { listModel, visibleColumns, view, content, beside } = props
  const isBeside = Boolean(beside)
  const isNarrow = useIsNarrow()
  const { list, listState, openKey } = listModel
  const isEmpty = view.isEmpty ?? false
  const { style, ...listWidth } = useListWidth()
  return (
    <div className={css.body} data-split={(isBeside && !isNarrow) || undefined} style={style as React.CSSProperties}>
      {/* hidden rather than absent: it keeps its rows and its scroll position */}
      <div className={css.list} hidden={isBeside && isNarrow}>
        <EventTable
          label={props.title}
          columns={visibleColumns}
          rows={listModel.rows}
          rowKey={props.rowKey}
          alternateKey={props.alternateKey}
          openKey={openKey}
          onOpen={listModel.onOpen}
          detail={(row) => props.renderDetail(row, listState, openKey)}
          card={(row) => props.renderCard(row, listState)}
          beside={getRowsBeside(props, listModel, isBeside)}
          above={content ? null : <AboveRows {...props} view={view} showsFallback={listModel.showsFallback} />}
          emptyState={content ?? (isEmpty ? <NoEvents {...listModel} hint={props.hint} /> : null)}
          {...(listModel.order ? { order: listModel.order } : {})}
          loading={list.loading}
          refreshing={list.refreshing}
        />
        {content ? null : <ListPager {...listModel} />}
        {isBeside && !isNarrow ? <SplitHandle label="Width of the list" range={listWidthRange} {...listWidth} /> : null}
      </div>
      {beside}
    </div>
  )
}

/** A list of events, newest first: filters, rows that expand in place, pages. Its state is in the URL. */
export const EventList = <Row extends object>(props: EventListProps<Row>) => {
  const { kind, title } = props
  const listModel = useEventList(props)
  const { list, listState } = listModel
  const allColumns = props.columns(listState)
  const isMediumWidth = useMaxWidth(1099)
  const defaultColumns = allColumns
    .filter((column) => column.isDefault && !(column.hiddenWhenNarrow && isMediumWidth))
    .map(({ id }) => id)
  const { visibleColumns, setVisibleColumns } = useVisibleColumns(kind, defaultColumns, listModel.urlColumns)
  const [isColumnDialogOpen, setIsColumnDialogOpen] = useState(false)
  const [firstColumn, ...otherColumns] = allColumns
  const shownColumns = otherColumns.filter(({ id }) => visibleColumns.includes(id))
  const columns = firstColumn ? [firstColumn, ...shownColumns] : []
  const isEmpty = list.error !== null || (!list.loading && listModel.rows.length === 0)
  const view: EventListView = { ...listModel.view, isEmpty }
  const { count, content, beside } = renderParts(props, listModel, view)
  const isBeside = Boolean(beside)
  const isNarrow = useIsNarrow()
  return (
    <>
      {isBeside && isNarrow ? (
        <h1 className="visually-hidden">{title}</h1>
      ) : (
        <>
          <ScreenTitle
            title={title}
            count={count}
            actions={
              <TitleActions
                {...props}
                listModel={listModel}
                isBeside={isBeside}
                columnIds={shownColumns.map(({ id }) => id)}
                onColumns={() => setIsColumnDialogOpen(true)}
              />
            }
          />
          <ListToolbar {...props} listModel={listModel} isBeside={isBeside} />
        </>
      )}
      <ListBody {...props} {...{ listModel, view, content, beside }} visibleColumns={columns} />
      {isColumnDialogOpen ? (
        <Suspense>
          <LazyColumnDialog
            columns={otherColumns}
            visibleIds={visibleColumns}
            onChange={setVisibleColumns}
            onClose={() => setIsColumnDialogOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
