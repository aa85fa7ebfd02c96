import { LRUCache } from 'lru-cache'
import type { DatabaseEngine } from './database'

/** The first row of a page in a long list, from which later pages can be read without skipping all rows before it. */
export interface PageBookmark {
  precedingRows: number
  /** The row's value in the sort column, and its key. */
  position: readonly [value: unknown, key: unknown]
}

/** The length of a list, and the bookmarks of its pages. */
export interface ListCount {
  total: number
  bookmarks: PageBookmark[]
}

export interface ListCounts {
  /** Counts a list, at most once until one of its tables changes. The key identifies the list and its filters. */
  get: (key: string, tables: readonly string[], count: () => Promise<number>) => Promise<ListCount>
  /** Call after this process has written to a table; after a transaction, once it is committed. */
  invalidate: (table: string) => void
}

interface CachedList {
  tables: readonly string[]
  listCount: Promise<ListCount>
  expiresAt: number
  /** When bookmarks of this list were first collected. */
  bookmarksSince: number
}

const MYSQL_LIFETIME_MS = 3_000
const BOOKMARK_LIFETIME_MS = 60_000
const MAX_ENTRIES = 1_000
const MAX_BOOKMARKS = 200

/** Adds a bookmark and drops the oldest one if there are too many. */
export const addBookmark = ({ bookmarks }: ListCount, bookmark: PageBookmark): void => {
  if (bookmarks.some(({ precedingRows }) => precedingRows === bookmark.precedingRows)) return
  if (bookmarks.length >= MAX_BOOKMARKS) bookmarks.shift()
  bookmarks.push(bookmark)
}

/** Caches the lengths of lists, so that paging through a large table does not count it for each page. */
export const createListCounts = (engine: DatabaseEngine, clock: () => number = () => performance.now()): ListCounts => {
  const entries = new LRUCache<string, CachedList>({ max: MAX_ENTRIES })
  // Only this process writes to a SQLite file; other processes write to a MySQL database too.
  const lifetimeMs = engine === 'mysql' ? MYSQL_LIFETIME_MS : Infinity

  const removeEntry = (key: string, entry: CachedList) => {
    if (entries.peek(key) === entry) entries.delete(key)
  }

  /** Keeps the bookmarks if the length is unchanged, because then they are most likely still valid. */
  const countAgain = async (
    count: () => Promise<number>,
    previous: Promise<ListCount> | undefined,
  ): Promise<ListCount> => {
    const [total, previousCount] = await Promise.all([count(), previous?.catch(() => undefined)])
    return { total, bookmarks: previousCount?.total === total ? previousCount.bookmarks : [] }
  }

  return {
    get(key, tables, count) {
      const now = clock()
      const cachedList = entries.get(key)
      if (cachedList && cachedList.expiresAt > now) return cachedList.listCount
      const previousList = cachedList && cachedList.bookmarksSince > now - BOOKMARK_LIFETIME_MS ? cachedList : undefined
      const listCount = countAgain(count, previousList?.listCount)
      const entry: CachedList = {
        tables,
        listCount,
        expiresAt: now + lifetimeMs,
        bookmarksSince: previousList?.bookmarksSince ?? now,
      }
      entries.set(key, entry)
      listCount.catch(() => removeEntry(key, entry))
      return listCount
    },
    invalidate(table) {
      for (const [key, entry] of entries) if (entry.tables.includes(table)) entries.delete(key)
    },
  }
}
