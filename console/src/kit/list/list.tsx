import { useQuery } from '@tanstack/react-query'
import { Pencil, Trash2, type LucideIcon } from 'lucide-react'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { lazyComponent } from '../../ui/feedback/lazy-component'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor, useCan } from '../../session/session'
import { IconButton, IconLink } from '../../ui/button'
import { DataTable } from '../../ui/table/data-table'
import { ScreenLayout } from '../../ui/shell/screen-layout'
import { PageSize, Pager, PagerPlaceholder } from '../../ui/table/pager'
import { FilterInput, Toolbar, UpdatedAt } from '../../ui/table/toolbar'
import { useAddButton } from './add-button'
import { ColumnsButton } from './columns-button'
import type { BulkBar } from './bulk-bar'
import type { SetActive } from './bulk-actions'
import type { Bulk } from './use-bulk'
import { useSelection, type Selection } from './use-selection'
import type { FetchAllRows } from './all-pages'
import { ExportButton } from './export'
import { toTableColumns, createNameColumn, toListQuery, useClientListOperations } from './list-query'
import type { ListColumn } from './list-column'
import { ListFilters, type ListFilter, type RenderFilter } from './list-filters'
import { EmptyList } from './empty-list'
import { useListState } from './list-state'
import { ViewsButton } from './views-button'
import { countPages } from '../../ui/table/page-numbers'
import { createListSource, ownerWithDefaultProvider, sidOf, type ListSource } from '../record/record'
import type { RemoveOptions, RemoveDialog } from '../record/remove-dialog'
import { useList, type ListResult } from './use-list'
import { useListColumns, type ListColumnOptions } from './use-list-columns'

export type { ListFilter } from './list-filters'
export type { Selection } from './use-selection'

/** The rows of a list that match its filters. */
export interface ListedRows<Row> {
  /** Undefined until known. */
  total: number | undefined
  fetchRows: FetchAllRows<Row>
}

export interface ResourceListProps<Row> extends ListColumnOptions<Row> {
  /** The h1, such as 'Accounts'. */
  title: string
  description?: ReactNode
  /** Shown between the title and the filters, in the full width. */
  header?: ReactNode
  /**
   * The source of the rows: `createListSource(accountsOfProvider, { service_provider_sid })`. Default: the list route of
   * the resource.
   */
  source?: ListSource<Row>
  /** Overrides of the first column, which is the record's name: { id: 'name', head: 'Name' }. */
  nameColumn?: Partial<ListColumn<Row>>
  /** The query parameter of the text filter; false for a list without one. */
  textFilterParam?: 'name' | 'filter' | false
  /** The text to search when the server returns the complete list. Default: the name. */
  searchText?: (row: Row) => string
  /** Renders the filter by account. A prop, because the first list after a sign-in needs none of its code. */
  renderAccountFilter?: RenderFilter
  filters?: ListFilter<Row>[]
  /** The path of a row's page, which its name links to. Default: its edit screen. */
  viewPath?: (row: Row) => string
  /** The path of a row's edit screen. */
  editPath: (row: Row) => string
  /** The add screen. Shown to users who may create records. */
  add?: { href: string; label: string }
  /** Additional buttons beside the title, left of the add button. An empty list shows them too. */
  listActions?: (list: ListedRows<Row>) => ReactNode
  /** The toast after a deletion and, if needed, the check before it. Without them, rows cannot be deleted. */
  removeOptions?: RemoveOptions<Row>
  /** Shown if the list has no rows and no filter is active. */
  empty: { title: string; text?: ReactNode; icon?: LucideIcon; children?: ReactNode }
  /** Actions for the selected rows, before those that every list has. */
  bulkActions?: (selection: Selection<Row>, bulk: Bulk<Row>) => ReactNode
  /** Activates or deactivates a row, for lists whose records can be inactive. */
  setActive?: SetActive<Row>
  /** Additional row actions, before Edit. */
  rowActions?: (row: Row) => ReactNode
  /** The maximum number of `rowActions`. It determines the width of their column. */
  maxExtraActions?: number
}

/** Loaded on the first click on Delete. */
const LazyRemoveDialog = lazyComponent(() =>
  import('../record/remove-dialog').then((module) => module.RemoveDialog),
) as unknown as typeof RemoveDialog

/** Loaded when the first row is selected. */
const LazyBulkBar = lazyComponent(() =>
  import('./bulk-bar').then((module) => module.BulkBar),
) as unknown as typeof BulkBar

/** The list of a kind of record: title, filters, rows, pages, edit and delete. Its state is in the URL. */
export const ResourceList = <Row extends object>(props: ResourceListProps<Row>) => {
  const { resource, title, add, removeOptions } = props
  const listModel = useResourceList(props)
  const { list, listState } = listModel
  const selection = useSelection(resource, list.rows)
  const [recordToDelete, setRecordToDelete] = useState<Row>()
  const hasSelection = selection.sids.length > 0
  // the bar stays after the first selection, because it shows results when nothing is selected anymore
  const [hasBulkBar, setHasBulkBar] = useState(false)
  if (hasSelection && !hasBulkBar) setHasBulkBar(true)
  const addButton = useAddButton(resource, add, hasSelection)
  const titleActions = (
    <>
      <ListActions {...props} listModel={listModel} />
      {addButton}
    </>
  )
  const showsAddButtonInList = !list.error && showsEmptyState(list) && !listModel.isFiltered
  return (
    // an empty list shows the add button in place of its rows, and only there
    <ScreenLayout
      title={title}
      count={list.total}
      actions={showsAddButtonInList ? undefined : titleActions}
      description={props.description}
    >
      {props.header}
      <ListToolbar {...props} listModel={listModel} />
      {showsEmptyState(list) ? (
        <EmptyList
          list={list}
          empty={props.empty}
          actions={titleActions}
          onClear={listModel.isFiltered ? listModel.clearFilters : undefined}
        />
      ) : (
        <ListRows {...props} listModel={listModel} selection={selection} onRemove={setRecordToDelete} />
      )}
      {/* at the bottom, so that selecting a row does not move the rows under the pointer */}
      {hasBulkBar ? (
        <Suspense>
          <LazyBulkBar
            {...{ resource, selection, removeOptions }}
            setActive={props.setActive}
            renderActions={props.bulkActions}
            shownRows={list.rows}
            total={list.total}
            filterKey={JSON.stringify([listState.text, listState.account, listState.filters])}
            pageKey={list.isPlaceholder ? undefined : JSON.stringify(listState)}
            fetchRows={listModel.fetchAllRows}
          />
        </Suspense>
      ) : null}
      <ListPager listModel={listModel} />
      {removeOptions && recordToDelete ? (
        <Suspense>
          <LazyRemoveDialog
            {...removeOptions}
            resource={resource}
            row={recordToDelete}
            onClose={() => setRecordToDelete(undefined)}
          />
        </Suspense>
      ) : null}
    </ScreenLayout>
  )
}

const ListActions = <Row extends object>({
  listActions,
  listModel: { list, fetchAllRows },
}: Pick<ResourceListProps<Row>, 'listActions'> & { listModel: ResourceListModel<Row> }) =>
  listActions?.({ total: list.total, fetchRows: fetchAllRows })

/** Is the message of an empty list or of an error shown in place of the rows? */
const showsEmptyState = (list: ListResult<never> | ListResult<unknown>) =>
  list.error !== null || (!list.loading && list.rows.length === 0)

const noFilters: never[] = []

/** Reads the list state from the URL, and loads the matching rows. */
const useResourceList = <Row extends object>(props: ResourceListProps<Row>) => {
  const { resource, textFilterParam = 'name', filters = noFilters } = props
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const name = createNameColumn(resource, props.nameColumn)
  const filterIds = filters.map(({ id }) => id)
  const defaultSort = { by: name.id, desc: false }
  const urlState = useListState(filterIds, { defaultSort })
  const { listState, change, correctPage } = urlState
  const { baseColumns, columnChoice, createAllColumns } = useListColumns(props, {
    value: listState.columns,
    set: urlState.setUrlColumns,
  })
  const sort = capabilities.sort && !urlState.isDefaultSort ? listState.sort : undefined
  const query = toListQuery(listState, { textFilterParam, filters, sort })
  const clientOperations = useClientListOperations({
    columns: [name, ...baseColumns],
    searchText: props.searchText ?? resource.title,
    filters,
  })
  const source = props.source ?? createListSource(resource.list, {})
  const list = useList(resource.kind, source, listState, query, clientOperations)

  const otherColumns = createAllColumns(list, capabilities)
  const visibleColumns = otherColumns.filter(({ id }) => columnChoice.visibleColumns.includes(id))

  const lastPage = list.total === undefined ? undefined : countPages(list.total, listState.pageSize)
  useEffect(() => {
    // the last row of the last page was deleted, or the URL is outdated
    if (lastPage !== undefined && listState.page > lastPage) correctPage(lastPage)
  })

  const shownFilters = filters.filter((filter) => list.isComplete || filter.query)
  const activeFilterCount =
    shownFilters.filter((filter) => listState.filters[filter.id]).length + (listState.account ? 1 : 0)
  const canSortList = list.isComplete === true || capabilities.sort
  const { matchingRows } = list
  /** Fetches all matching rows, not only this page. */
  const fetchAllRows: FetchAllRows<Row> = (signal, { batchLoadedRows, fetchAllPages }) =>
    matchingRows
      ? batchLoadedRows(matchingRows)
      : fetchAllPages(source, { ...query, page: undefined, page_size: undefined }, signal)
  return {
    list,
    fetchAllRows,
    listState,
    change,
    clearFilters: urlState.clearFilters,
    textFilterKey: urlState.textFilterKey,
    columns: [name, ...visibleColumns],
    viewedList: { listState, defaultSort, columnIds: visibleColumns.map(({ id }) => id) },
    otherColumns,
    columnChoice,
    shownFilters,
    activeFilterCount,
    isFiltered: listState.text !== '' || activeFilterCount > 0,
    canSortList,
  }
}

type ResourceListModel<Row extends object> = ReturnType<typeof useResourceList<Row>>

const ListToolbar = <Row extends object>(props: ResourceListProps<Row> & { listModel: ResourceListModel<Row> }) => {
  const { resource, textFilterParam = 'name', renderAccountFilter, listModel } = props
  const { list, listState, change, shownFilters, activeFilterCount } = listModel
  const filter = textFilterParam ? (
    <FilterInput
      key={listModel.textFilterKey}
      label={`Filter ${resource.noun.plural}`}
      value={listState.text}
      debounceMs={list.isComplete ? 0 : typingDelayMs}
      onChange={(value) => change({ text: value })}
    />
  ) : null
  return (
    <Toolbar
      activeCount={activeFilterCount}
      onClear={listModel.clearFilters}
      filter={filter}
      end={
        <>
          <ViewsButton {...listModel.viewedList} />
          {list.total ? (
            <ExportButton resource={resource} fetchRows={listModel.fetchAllRows} columns={listModel.columns} />
          ) : null}
          <ColumnsButton columns={listModel.otherColumns} {...listModel.columnChoice} />
          <UpdatedAt updatedAt={list.updatedAt} pending={list.refreshing} onRefresh={list.refresh} />
        </>
      }
    >
      {renderAccountFilter || shownFilters.length > 0 ? (
        <>
          {renderAccountFilter?.(listState.account, (account) => change({ account }))}
          <ListFilters filters={shownFilters} listState={listState} onChange={change} />
          <PageSize pageSize={listState.pageSize} onPageSize={(pageSize) => change({ pageSize })} />
        </>
      ) : null}
    </Toolbar>
  )
}

const ListPager = <Row extends object>({
  listModel: { list, listState, change },
}: {
  listModel: ResourceListModel<Row>
}) => {
  if (list.loading) return <PagerPlaceholder />
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

/** The delay after typing before a request to the server. */
const typingDelayMs = 150

interface ListRowsProps<Row> {
  selection: ReturnType<typeof useSelection<Row>>
  onRemove: (row: Row) => void
}

const ListRows = <Row extends object>(
  props: ResourceListProps<Row> & ListRowsProps<Row> & { listModel: ResourceListModel<Row> },
) => {
  const { resource, title, editPath, removeOptions, selection, onRemove, listModel } = props
  const { list, listState, change, columns, canSortList } = listModel
  const can = useCan()
  const providerSid = useProviderSid()
  const { viewOnly = false } = useActor()
  const mayChange = (row: Row) => can('update', resource.kind, ownerWithDefaultProvider(row, providerSid))
  const mayRemove = (row: Row) =>
    removeOptions !== undefined && can('remove', resource.kind, ownerWithDefaultProvider(row, providerSid))
  /** Might any row pass the test? While the rows are loading, only view-only users are known to have no actions. */
  const mayApplyToAnyRow = (test: (row: Row) => boolean) => (list.loading ? !viewOnly : list.rows.some(test))
  const hasActions = props.rowActions !== undefined || mayApplyToAnyRow((row) => mayChange(row) || mayRemove(row))
  const actions = (row: Row) => (
    <>
      {props.rowActions?.(row)}
      {mayChange(row) ? (
        <IconLink icon={Pencil} label={`Edit ${resource.title(row)}`} href={editPath(row)} aria-keyshortcuts="e" />
      ) : null}
      {mayRemove(row) ? (
        <IconButton
          icon={Trash2}
          label={`Delete ${resource.title(row)}`}
          aria-keyshortcuts="#"
          onClick={() => onRemove(row)}
        />
      ) : null}
    </>
  )
  return (
    <DataTable
      label={title}
      columns={toTableColumns(columns, canSortList, list.matchingRows)}
      rows={list.rows}
      rowKey={(row) => sidOf(resource, row)}
      rowName={resource.title}
      rowHref={props.viewPath ?? editPath}
      sort={canSortList ? listState.sort : undefined}
      onSort={canSortList ? (sort) => change({ sort }) : undefined}
      actions={hasActions ? actions : undefined}
      maxActions={2 + (props.maxExtraActions ?? 0)}
      selection={mayApplyToAnyRow(mayChange) ? { ...selection.rowSelection, canSelect: mayChange } : undefined}
      loading={list.loading}
      refreshing={list.refreshing}
    />
  )
}
