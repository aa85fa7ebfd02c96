import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2, type LucideIcon } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { ButtonLink, IconButton, IconLink } from '../../ui/button'
import { DataTable } from '../../ui/table/data-table'
import { Page } from '../../ui/shell/page'
import { PageSize, Pager, PagerSpace } from '../../ui/table/pager'
import { FilterInput, Toolbar, UpdatedAt } from '../../ui/table/toolbar'
import { AccountFilter } from './account-filter'
import type { BulkBar } from './bulk-bar'
import { useSelection, type Selection } from './use-selection'
import { fetchAllPages, batchLoadedRows } from './all-pages'
import { ExportButton } from './export'
import { toTableColumns, createNameColumn, newRecordOwner, toListQuery, useClientFilter } from './list-query'
import type { ListColumn } from './list-column'
import { ListFilters, type ListFilter } from './list-filters'
import { NoRows } from './no-rows'
import { useListState } from './list-state'
import { countPages } from '../../ui/table/page-numbers'
import { createListSource, ownerInProvider, sidOf, type AnyResource, type ListSource } from '../record/record'
import type { RemoveOptions, RemoveDialog } from '../record/remove-dialog'
import { useList, type ListResult } from './use-list'

export type { ListFilter } from './list-filters'
export type { Selection } from './use-selection'

export interface ResourceListProps<Row> {
  resource: AnyResource<Row>
  /** The h1, such as 'Accounts'. */
  title: string
  description?: ReactNode
  /**
   * The source of the rows: `from(accountsOfProvider, { service_provider_sid })`. Default: the list of the resource.
   */
  source?: ListSource<Row>
  /** Overrides of the first column, which is the record's name: { id: 'name', head: 'Name' }. */
  nameColumn?: Partial<ListColumn<Row>>
  /** The columns after the name. */
  columns: ListColumn<Row>[]
  /** The query parameter of the text filter; false for a list without one. */
  text?: 'name' | 'filter' | false
  /** The text to search when the server returns the complete list. Default: the name. */
  searchText?: (row: Row) => string
  /** The label of the account filter, which users above account scope see. */
  accounts?: 'Account' | 'Used by'
  /** Some rows belong to all accounts. The account filter can select only these. */
  shared?: boolean
  filters?: ListFilter<Row>[]
  /** The path of a row's edit page. */
  edit: (row: Row) => string
  /** The add page. Shown to users who may create records. */
  add?: { href: string; label: string }
  /** More buttons for the complete list, left of the add button. An empty list shows them too. */
  tools?: ReactNode
  /** Deletion: the toast after it and, if needed, the check before it. */
  remove?: RemoveOptions<Row>
  /** Shown if the list has no rows and no filter is active. */
  empty: { title: string; text?: ReactNode; icon?: LucideIcon; children?: ReactNode }
  /** Shown between the title and the rows. */
  notice?: ReactNode
  /** Actions for the selected rows. Without it, rows are not selectable. */
  bulk?: (chosen: Selection<Row>) => ReactNode
  /** More row actions, before Edit, and their maximum number. */
  actions?: (row: Row) => ReactNode
  actionCount?: number
  /** The content of a card, below 900 px. */
  card?: (row: Row) => ReactNode
}

/** Loaded on the first click on Delete. */
const LateRemoveDialog = lazyComponent(() =>
  import('../record/remove-dialog').then((it) => it.RemoveDialog),
) as unknown as typeof RemoveDialog

/** Loaded when the first row is selected. */
const LateBulkBar = lazyComponent(() => import('./bulk-bar').then((it) => it.BulkBar)) as unknown as typeof BulkBar

/** The list of a kind of record: title, filters, rows, pages, edit and delete. Its state is in the URL. */
export const ResourceList = <Row extends object>(props: ResourceListProps<Row>) => {
  const { resource, title, add, remove, bulk } = props
  const state = useResourceList(props)
  const { list, change } = state
  const chosen = useSelection(resource, list.rows)
  const [recordToDelete, setRecordToDelete] = useState<Row>()
  const choosing = bulk !== undefined && chosen.sids.length > 0
  const addButton = useAddButton(resource, add, choosing)
  const next = (
    <>
      {props.tools}
      {addButton}
    </>
  )
  const nothing = !list.error && isEmpty(list) && !state.filtered
  return (
    // an empty list shows the add button in place of its rows, and only there
    <Page title={title} count={list.total} actions={nothing ? undefined : next} description={props.description}>
      {props.notice}
      <ListToolbar {...props} state={state} />
      {isEmpty(list) ? (
        <NoRows
          list={list}
          empty={props.empty}
          next={next}
          onClear={state.filtered ? () => change({ text: '', account: '', filters: {} }) : undefined}
        />
      ) : (
        <Rows {...props} state={state} chosen={chosen} onRemove={setRecordToDelete} />
      )}
      {/* at the bottom, so that selecting a row does not move the rows under the pointer */}
      {choosing ? (
        <Suspense>
          <LateBulkBar
            resource={resource}
            chosen={chosen}
            total={list.total}
            rows={state.everything}
            onClear={chosen.clear}
          >
            {bulk(chosen)}
          </LateBulkBar>
        </Suspense>
      ) : null}
      <Pages state={state} />
      {remove && recordToDelete ? (
        <Suspense>
          <LateRemoveDialog
            {...remove}
            resource={resource}
            row={recordToDelete}
            onClose={() => setRecordToDelete(undefined)}
          />
        </Suspense>
      ) : null}
    </Page>
  )
}

/**
 * The add button, if the user may add. While rows are selected it is not primary, because their actions are the next
 * step.
 */
const useAddButton = <Row,>(
  { kind }: AnyResource<Row>,
  add: ResourceListProps<Row & object>['add'],
  choosing: boolean,
) => {
  const can = useCan()
  const owner = newRecordOwner(useActor(), useProviderSid())
  if (!add || !can('create', kind, owner)) return null
  return (
    <ButtonLink variant={choosing ? 'plain' : 'primary'} icon={Plus} href={add.href}>
      {add.label}
    </ButtonLink>
  )
}

const isEmpty = (list: ListResult<never> | ListResult<unknown>) =>
  list.error !== null || (!list.loading && list.rows.length === 0)

const noFilters: never[] = []

/** The list state from the URL, and the matching rows. */
const useResourceList = <Row extends object>(props: ResourceListProps<Row>) => {
  const { resource, text = 'name', filters = noFilters } = props
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const name = createNameColumn(resource, props.nameColumn)
  const columns = [name, ...props.columns]
  const ids = filters.map(({ id }) => id)
  const { listState, change, isDefaultSort } = useListState(ids, { by: name.id, desc: false })
  const sort = capabilities.sort && !isDefaultSort ? listState.sort : undefined
  const query = toListQuery(listState, { text, filters, sort })
  const clientFilter = useClientFilter({ columns, searchText: props.searchText ?? resource.title, filters })
  const source = props.source ?? createListSource(resource.list, {})
  const list = useList(resource.kind, source, listState, query, clientFilter)

  const last = list.total === undefined ? undefined : countPages(list.total, listState.pageSize)
  useEffect(() => {
    // the last row of the last page was deleted, or the URL is outdated
    if (last !== undefined && listState.page > last) change({ page: last })
  })

  const shownFilters = filters.filter((filter) => list.isComplete || filter.query)
  const active = shownFilters.filter((filter) => listState.filters[filter.id]).length + (listState.account ? 1 : 0)
  const sortable = list.isComplete === true || capabilities.sort
  const { matching } = list
  /** Every matching row, not only this page. */
  const everything = (signal: AbortSignal) =>
    matching
      ? batchLoadedRows(matching)
      : fetchAllPages(source, { ...query, page: undefined, page_size: undefined }, signal)
  return {
    list,
    everything,
    listState,
    change,
    columns,
    shownFilters,
    active,
    filtered: listState.text !== '' || active > 0,
    sortable,
  }
}

type ResourceListState<Row extends object> = ReturnType<typeof useResourceList<Row>>

const ListToolbar = <Row extends object>(props: ResourceListProps<Row> & { state: ResourceListState<Row> }) => {
  const { resource, text = 'name', accounts, shared, state } = props
  const { list, listState, change, shownFilters, active } = state
  const filter = text ? (
    <FilterInput
      label={`Filter ${resource.noun.plural}`}
      value={listState.text}
      debounce={list.isComplete ? 0 : typingPause}
      onChange={(value) => change({ text: value })}
    />
  ) : null
  return (
    <Toolbar
      active={active}
      filter={filter}
      end={
        <>
          {list.total ? <ExportButton resource={resource} rows={state.everything} /> : null}
          <UpdatedAt at={list.updatedAt} pending={list.refreshing} onRefresh={list.refresh} />
        </>
      }
    >
      {accounts || shownFilters.length > 0 ? (
        <>
          {accounts ? (
            <AccountFilter
              label={accounts}
              value={listState.account}
              shared={shared}
              onChange={(account) => change({ account })}
            />
          ) : null}
          <ListFilters filters={shownFilters} listState={listState} onChange={change} />
          <PageSize pageSize={listState.pageSize} onPageSize={(pageSize) => change({ pageSize })} />
        </>
      ) : null}
    </Toolbar>
  )
}

const Pages = <Row extends object>({ state: { list, listState, change } }: { state: ResourceListState<Row> }) => {
  if (list.loading) return <PagerSpace />
  if (!list.total || list.error) return null
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

/** The delay after typing before a request to the server, in milliseconds. */
const typingPause = 300

interface RowsProps<Row> {
  chosen: ReturnType<typeof useSelection<Row>>
  onRemove: (row: Row) => void
}

const Rows = <Row extends object>(
  props: ResourceListProps<Row> & RowsProps<Row> & { state: ResourceListState<Row> },
) => {
  const { resource, title, edit, remove, bulk, chosen, onRemove, state } = props
  const { list, listState, change, columns, sortable } = state
  const can = useCan()
  const provider = useProviderSid()
  const { viewOnly = false } = useActor()
  const mayChange = (row: Row) => can('update', resource.kind, ownerInProvider(row, provider))
  const mayRemove = (row: Row) => remove !== undefined && can('remove', resource.kind, ownerInProvider(row, provider))
  /** Until the rows have loaded, only view-only users are known to have no actions. */
  const isOffered = (test: (row: Row) => boolean) => (list.loading ? !viewOnly : list.rows.some(test))
  const hasActions = props.actions !== undefined || isOffered((row) => mayChange(row) || mayRemove(row))
  const actions = (row: Row) => (
    <>
      {props.actions?.(row)}
      {mayChange(row) ? <IconLink icon={Pencil} label={`Edit ${resource.title(row)}`} href={edit(row)} /> : null}
      {mayRemove(row) ? (
        <IconButton icon={Trash2} label={`Delete ${resource.title(row)}`} onClick={() => onRemove(row)} />
      ) : null}
    </>
  )
  return (
    <DataTable
      label={title}
      columns={toTableColumns(columns, sortable, list.matching)}
      rows={list.rows}
      rowKey={(row) => sidOf(resource, row)}
      rowName={resource.title}
      rowHref={edit}
      sort={sortable ? listState.sort : undefined}
      onSort={sortable ? (sort) => change({ sort }) : undefined}
      actions={hasActions ? actions : undefined}
      actionCount={2 + (props.actionCount ?? 0)}
      selection={bulk && isOffered(mayChange) ? { ...chosen.selection, canSelect: mayChange } : undefined}
      loading={list.loading}
      refreshing={list.refreshing}
      card={props.card}
    />
  )
}
