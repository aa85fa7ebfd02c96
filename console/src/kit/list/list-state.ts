import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { defaultPageSize, pageSizes, sharedRecordsSid } from '@trunkline/contract/kit/page'
import { useEffect, useRef } from 'react'
import { localValues, sessionValues } from '../../lib/storage'
import type { Sort } from '../../ui/table/table-props'
import type { ListState } from './paging'

/** The URL parameters of a list. Everything is text, and defaults are omitted. */
export type ListSearch = Partial<Record<string, string>>

const wholeNumber = (text: string | undefined) => (text && /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined)

const sortOf = (text: string | undefined): Sort | undefined => {
  const match = /^(-?)(\w+)$/.exec(text ?? '')
  return match?.[2] ? { by: match[2], desc: match[1] === '-' } : undefined
}

const sameSort = (one: Sort | undefined, other: Sort | undefined) => one?.by === other?.by && one?.desc === other?.desc

/** Reads the list state from a URL. Ignores invalid values. */
export const readListState = (search: ListSearch, filterIds: readonly string[], defaultSort?: Sort): ListState => {
  const size = wholeNumber(search.page_size)
  return {
    text: search.text ?? '',
    account: search.account ?? '',
    filters: Object.fromEntries(filterIds.flatMap((id) => (search[id] ? [[id, search[id]]] : []))),
    sort: sortOf(search.sort) ?? defaultSort,
    page: wholeNumber(search.page) ?? 1,
    pageSize: pageSizes.find((each) => each === size) ?? defaultPageSize,
  }
}

/** Writes the list state as URL parameters, without defaults. */
export const writeListState = (listState: ListState, defaultSort?: Sort): ListSearch => {
  const { text, account, filters, sort, page, pageSize } = listState
  return {
    ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')),
    ...(text ? { text } : {}),
    ...(account ? { account } : {}),
    ...(sort && !sameSort(sort, defaultSort) ? { sort: `${sort.desc ? '-' : ''}${sort.by}` } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    ...(pageSize === defaultPageSize ? {} : { page_size: String(pageSize) }),
  }
}

const keep = ({ text, account }: ListState) => {
  if (text) localValues.queryFilter.set(text)
  else localValues.queryFilter.clear()
  if (account && account !== sharedRecordsSid) localValues.accountFilter.set(account)
  else localValues.accountFilter.clear()
}

const listSearch = () => {
  const [path = '', search = ''] = (sessionValues.list.get() ?? '').split('?')
  return { path, search: new URLSearchParams(search) }
}

const notFilters: readonly string[] = ['sort', 'page_size']

/** Removes saved filters of the area's list that would hide a newly added record. */
export const clearFiltersThatHide = (title: string, values: object) => {
  const { path, search } = listSearch()
  const account: unknown = Reflect.get(values, 'account_sid')
  const shows = (name: string, value: string) =>
    notFilters.includes(name) ||
    (name === 'account' && value === account) ||
    (name === 'text' && title.toLowerCase().includes(value))
  const rest = new URLSearchParams([...search].filter(([name, value]) => shows(name, value)))
  if (path) sessionValues.list.set(rest.size > 0 ? `${path}?${rest.toString()}` : path)
  if (!rest.has('text')) localValues.queryFilter.clear()
  if (!rest.has('account')) localValues.accountFilter.clear()
}

/**
 * The list state, stored in the URL. When the user returns from a form of the same area, restores the saved filters to
 * the URL. The app clears them when the area changes.
 */
export const useListState = (filterIds: readonly string[], defaultSort?: Sort) => {
  const search: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const listState = readListState(search, filterIds, defaultSort)
  const go = (next: ListState, replace: boolean) =>
    void navigate({ to: '.', search: writeListState(next, defaultSort), replace, resetScroll: false })

  /**
   * A new filter, sort order or page size returns to the first page and replaces the history entry. A new page adds an
   * entry, so that Back works.
   */
  const change = (part: Partial<ListState>) => {
    // the text filter is debounced, so another filter may have changed meanwhile
    const latest = readListState(router.latestLocation.search as ListSearch, filterIds, defaultSort)
    const next = { ...latest, page: 1, ...part }
    keep(next)
    go(next, part.page === undefined)
  }

  const first = useRef(true)
  useEffect(() => {
    if (!first.current) return
    first.current = false
    if (Object.keys(search).length > 0) return keep(listState)
    const text = localValues.queryFilter.get() ?? ''
    const account = localValues.accountFilter.get() ?? ''
    if (text || account) go({ ...listState, text, account }, true)
  })
  return { listState, change, isDefaultSort: sameSort(listState.sort, defaultSort) }
}

/** The account in the list's filter, or '' for all. For components outside the list. */
export const useAccountFilter = (): string => {
  const search: ListSearch = useSearch({ strict: false })
  return search.account ?? ''
}
