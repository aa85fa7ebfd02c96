import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { defaultPageSize, pageSizes, sharedRecordsSid } from '@trunkline/contract/kit/page'
import { useEffect, useRef, useState } from 'react'
import { localValues, sessionValues } from '../../lib/storage'
import type { Sort } from '../../ui/table/table-props'
import type { ListState } from './paging'

/** The URL parameters of a list. Everything is text, and defaults are omitted. */
export type ListSearch = Partial<Record<string, string>>

const parsePositiveInteger = (text: string | undefined) =>
  text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined

const parseSort = (text: string | undefined): Sort | undefined => {
  const match = /^(-?)(\w+)$/.exec(text ?? '')
  return match?.[2] ? { by: match[2], desc: match[1] === '-' } : undefined
}

const isSameSort = (a: Sort | undefined, b: Sort | undefined) => a?.by === b?.by && a?.desc === b?.desc

/** Reads the list state from a URL. Ignores invalid values. */
export const readListState = (search: ListSearch, filterIds: readonly string[], defaultSort?: Sort): ListState => {
  const size = parsePositiveInteger(search.page_size)
  return {
    text: search.text ?? '',
    account: search.account ?? '',
    filters: Object.fromEntries(filterIds.flatMap((id) => (search[id] ? [[id, search[id]]] : []))),
    sort: parseSort(search.sort) ?? defaultSort,
    page: parsePositiveInteger(search.page) ?? 1,
    pageSize: pageSizes.find((allowedSize) => allowedSize === size) ?? defaultPageSize,
    ...(search.columns ? { columns: search.columns } : {}),
    ...(search.density ? { density: search.density } : {}),
  }
}

/** Writes the list state as URL parameters, without defaults. */
export const writeListState = (listState: ListState, defaultSort?: Sort): ListSearch => {
  const { text, account, filters, sort, page, pageSize, columns, density } = listState
  return {
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
    ...(text ? { text } : {}),
    ...(account ? { account } : {}),
    ...(sort && !isSameSort(sort, defaultSort) ? { sort: `${sort.desc ? '-' : ''}${sort.by}` } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    ...(pageSize === defaultPageSize ? {} : { page_size: String(pageSize) }),
    ...(columns ? { columns } : {}),
    ...(density ? { density } : {}),
  }
}

const saveFilters = ({ text, account }: ListState) => {
  if (text) localValues.queryFilter.set(text)
  else localValues.queryFilter.clear()
  if (account && account !== sharedRecordsSid) localValues.accountFilter.set(account)
  else localValues.accountFilter.clear()
}

const readSavedListUrl = () => {
  const [path = '', search = ''] = (sessionValues.lastListUrl.get() ?? '').split('?')
  return { path, search: new URLSearchParams(search) }
}

const nonFilterParameters: readonly string[] = ['sort', 'page_size', 'columns', 'density']

/** Removes saved filters of the area's list that would hide a newly added record. */
export const clearFiltersThatHide = (title: string, values: object) => {
  const { path, search } = readSavedListUrl()
  const account: unknown = Reflect.get(values, 'account_sid')
  const showsRecord = (name: string, value: string) =>
    nonFilterParameters.includes(name) ||
    (name === 'account' && value === account) ||
    (name === 'text' && title.toLowerCase().includes(value.toLowerCase()))
  const remainingSearch = new URLSearchParams([...search].filter(([name, value]) => showsRecord(name, value)))
  if (path) sessionValues.lastListUrl.set(remainingSearch.size > 0 ? `${path}?${remainingSearch.toString()}` : path)
  if (!remainingSearch.has('text')) localValues.queryFilter.clear()
  if (!remainingSearch.has('account')) localValues.accountFilter.clear()
}

interface ListStateOptions {
  defaultSort?: Sort
  path?: string
  settingIds?: readonly string[]
}

/**
 * The list state, stored in the URL. When the user returns from a form of the same area, restores the saved filters to
 * the URL. The app clears them when the area changes. `path`: where a change leads, if not to the same screen.
 * `settingIds`: the filters that choose a view, such as its order. They stay when the filters are cleared.
 */
export const useListState = (
  filterIds: readonly string[],
  { defaultSort, path = '.', settingIds = [] }: ListStateOptions = {},
) => {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const listState = readListState(search, filterIds, defaultSort)
  const navigateToState = (next: ListState, replace: boolean, to = '.') =>
    void navigate({ to, search: writeListState(next, defaultSort), replace, resetScroll: false })

  /**
   * A new filter, sort order or page size returns to the first page and replaces the history entry. A new page adds an
   * entry, so that Back works.
   */
  const change = (changes: Partial<ListState>) => {
    // the text filter is debounced, so another filter may have changed meanwhile
    const latest = readListState(router.latestLocation.search as ListSearch, filterIds, defaultSort)
    const next = { ...latest, page: 1, ...changes }
    saveFilters(next)
    navigateToState(next, changes.page === undefined, path)
  }

  const [clearCount, setClearCount] = useState(0)
  const clearFilters = () => {
    setClearCount(clearCount + 1)
    const settings = Object.entries(listState.filters).filter(([id]) => settingIds.includes(id))
    change({ text: '', account: '', filters: Object.fromEntries(settings) })
  }

  /** Replaces a page number that is too high. Adds no history entry, because Back would return to that number. */
  const correctPage = (page: number) => navigateToState({ ...listState, page }, true)

  /** Replaces the columns in the URL. The rows stay the same. */
  const setUrlColumns = (columns: string) => navigateToState({ ...listState, columns }, true)

  const isFirstRender = useRef(true)
  useEffect(() => {
    if (!isFirstRender.current) return
    isFirstRender.current = false
    if (Object.keys(search).length > 0) return saveFilters(listState)
    const text = localValues.queryFilter.get() ?? ''
    const account = localValues.accountFilter.get() ?? ''
    if (text || account) navigateToState({ ...listState, text, account }, true)
  })
  return {
    listState,
    change,
    clearFilters,
    /** The key of the text filter: text that was typed but not applied yet is cleared too. */
    textFilterKey: clearCount,
    correctPage,
    setUrlColumns,
    isDefaultSort: isSameSort(listState.sort, defaultSort),
  }
}

/** The account in the list's filter, or '' for all. For components outside the list. */
export const useAccountFilter = (): string => {
  const search: ListSearch = useSearch({ strict: false })
  return search.account ?? ''
}
