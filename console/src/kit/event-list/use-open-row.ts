import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { useEffect, useState, type ReactNode } from 'react'
import { openRowKey, recordTitleKey } from '../../lib/query-keys'
import { createRowKeys, findOpenKey } from '../../ui/table/row-keys'
import { readListState, writeListState, type ListSearch } from '../list/list-state'
import type { ListState } from '../list/paging'
import type { EventListSource } from './event-query'

/** The addresses of the rows of a list that opens each of them at a path below its own. */
export interface RowAddresses<Row> {
  listPath: string
  createPath: (key: string) => string
  /** The query that finds a row that is not on the page. */
  createQuery: (key: string) => Record<string, unknown>
  /** The name of a row in the breadcrumbs. */
  getTitle: (row: Row) => string
  /** Opens a row beside the list instead of inside it. In a narrow window, the row takes the place of the list. */
  opensBeside: boolean
  /** A row in the list beside an open one: an item of two lines. */
  renderItem: (row: Row, listState: ListState) => ReactNode
  /** The heading above the first row of a group, such as its day. */
  getGroup: (row: Row) => string
  renderBeside: (open: OpenRow<Row>) => ReactNode
}

/** A row that is open beside the list. */
export interface OpenRow<Row> {
  /** Undefined until it has loaded. */
  row: Row | undefined
  /** There is no row with this key. */
  isMissing: boolean
  error: Error | null
  retry: () => void
  /** Opens the row above or below. Undefined if the page has none. */
  openPrevious: (() => void) | undefined
  openNext: (() => void) | undefined
  close: () => void
}

/** How to find a row in a list. */
interface RowKeys<Row> {
  kind: string
  rowKey: (row: Row) => string
  alternateKey?: (row: Row) => string | null | undefined
  addresses?: RowAddresses<Row>
}

interface RowList<Row> {
  /** The key in the address. */
  urlKey: string
  rows: readonly Row[]
  loading: boolean
  /** All rows that the user may see. */
  source: EventListSource<Row>
}

/** Requests a row that is not on the page. Null if there is none. */
const useSingleRow = <Row>(
  { kind, addresses }: RowKeys<Row>,
  { urlKey, source }: RowList<Row>,
  findRow: (rows: readonly Row[]) => Row | undefined,
  isNeeded: boolean,
) =>
  useQuery({
    queryKey: openRowKey(kind, source.key, urlKey),
    queryFn: async ({ signal }) => {
      const page = await source.fetch({ page: 1, count: 25, ...addresses?.createQuery(urlKey) }, { signal })
      return findRow(page.rows) ?? null
    },
    enabled: isNeeded,
  })

/** Stores the name of the open row for the breadcrumbs. */
const useRowTitle = <Row>({ kind, addresses }: RowKeys<Row>, urlKey: string, row: Row | undefined) => {
  const cache = useQueryClient()
  useEffect(() => {
    if (row && addresses) cache.setQueryData(recordTitleKey(kind, urlKey), addresses.getTitle(row))
  })
}

/** The row of the page with the key. Another page or other filters of the list do not change it. */
const useLastListedRow = <Row>(urlKey: string, listedRow: Row | undefined) => {
  const [last, setLast] = useState<{ key: string; row: Row }>()
  if (listedRow && (last?.row !== listedRow || last.key !== urlKey)) setLast({ key: urlKey, row: listedRow })
  return listedRow ?? (last?.key === urlKey ? last.row : undefined)
}

/** Returns the row that is open: from the page, or from its own request. */
export const useRequestedRow = <Row>(rowKeys: RowKeys<Row>, rowList: RowList<Row>) => {
  const { rowKey, alternateKey, addresses } = rowKeys
  const { urlKey, rows, loading } = rowList
  const findRow = (candidates: readonly Row[]) => {
    const keys = createRowKeys(candidates, rowKey)
    const key = findOpenKey(urlKey, keys, alternateKey && candidates.map(alternateKey))
    return key === undefined ? undefined : candidates[keys.indexOf(key)]
  }
  const listedRow = findRow(rows)
  const knownRow = useLastListedRow(urlKey, listedRow)
  const isRequested = addresses !== undefined && urlKey !== '' && !loading && knownRow === undefined
  const { data, error, refetch } = useSingleRow(rowKeys, rowList, findRow, isRequested)
  const row = isRequested ? (data ?? undefined) : knownRow
  useRowTitle(rowKeys, urlKey, row)
  return {
    row,
    isListed: listedRow !== undefined,
    isMissing: isRequested && data === null,
    error: isRequested ? error : null,
    retry: () => void refetch(),
  }
}

interface OpenOptions {
  /** Replaces the history entry. */
  replace?: boolean
  changes?: Partial<ListState>
}

/** Returns the addresses of the rows of a page, by their unique keys, and functions that open and close a row. */
export const useRowAddresses = <Row>(
  { rowKey, alternateKey, addresses }: RowKeys<Row>,
  rows: readonly Row[],
  filterIds: readonly string[],
) => {
  const router = useRouter()
  const keys = createRowKeys(rows, rowKey)
  const alternateKeys = rows.map((row) => alternateKey?.(row) ?? '')
  const counts = new Map<string, number>()
  for (const key of alternateKeys) counts.set(key, (counts.get(key) ?? 0) + 1)
  /** The alternate key is shorter, but other rows of the page may have the same. */
  const toAddressKey = (uniqueKey: string) => {
    const alternate = alternateKeys[keys.indexOf(uniqueKey)]
    return alternate && counts.get(alternate) === 1 ? alternate : uniqueKey
  }
  const createHref = (uniqueKey: string | undefined, changes: Partial<ListState> = {}) => {
    const latest = { ...readListState(router.latestLocation.search as ListSearch, filterIds), ...changes }
    // another row opens with the same tab; without an open row there is none
    const filters = { ...latest.filters, open: '', ...(uniqueKey === undefined ? { tab: '' } : {}) }
    const search = writeListState({ ...latest, filters })
    const query = new URLSearchParams(search as Record<string, string>).toString()
    const path = uniqueKey === undefined ? addresses?.listPath : addresses?.createPath(toAddressKey(uniqueKey))
    return `${path ?? ''}${query ? `?${query}` : ''}`
  }
  /** Opens a row, or without a key closes the open one. */
  const open = (uniqueKey: string | undefined, { replace = false, changes }: OpenOptions = {}) => {
    const history = router.history as RouterHistory
    const href = createHref(uniqueKey, changes)
    if (replace) history.replace(href)
    else history.push(href)
  }
  return { keys, createHref, open }
}
