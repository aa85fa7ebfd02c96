import { LRUCache } from 'lru-cache'
import type { KeyList } from './key-list'
import type { TableVersions } from './table-versions'

/** The first row of a page in a long list, from which later pages can be read without skipping all rows before it. */
export interface PageBookmark {
  precedingRows: number
  /** The row's value in the sort column, and its key. */
  position: readonly [value: unknown, key: unknown]
}

/** What is known about a list with its filters: all keys in its order, or only its length and bookmarks of its pages. */
export interface ListState {
  total: number
  keys?: KeyList
  bookmarks: PageBookmark[]
}

export interface ListCache {
  /**
   * Returns the state of a list: the cached one if its tables have not changed since it was loaded. The key identifies the
   * list with its filters.
   */
  get: (key: string, tables: readonly string[], load: () => Promise<ListState>) => Promise<ListState>
  /** How often a state was cached, and how often it had to be loaded. */
  counts: Readonly<{ hits: number; misses: number }>
}

interface CachedState {
  /** The version of the tables before the state was loaded. */
  version: string
  state: ListState
  loadedAt: number
}

/** Limits how long a state can be wrong if a change of its tables goes unnoticed. */
const lifetimeMs = 60_000
/** 36 bytes each. */
const maxCachedKeys = 300_000
/** The size of a list without keys, in keys. */
const emptyListSize = 20
const maxBookmarks = 200

/** Adds a bookmark and drops the oldest one if there are too many. */
export const addBookmark = ({ bookmarks }: ListState, bookmark: PageBookmark): void => {
  if (bookmarks.some(({ precedingRows }) => precedingRows === bookmark.precedingRows)) return
  if (bookmarks.length >= maxBookmarks) bookmarks.shift()
  bookmarks.push(bookmark)
}

/** Caches lists, so that a page needs only its own rows. Every use checks whether the tables have changed. */
export const createListCache = (versions: TableVersions, clock: () => number = () => performance.now()): ListCache => {
  const cachedStates = new LRUCache<string, CachedState>({
    maxSize: maxCachedKeys,
    sizeCalculation: ({ state }) => emptyListSize + (state.keys?.length ?? 0),
  })
  const loads = new Map<string, { version: string; state: Promise<ListState> }>()

  const loadAndCache = async (key: string, version: string, load: () => Promise<ListState>): Promise<ListState> => {
    const loadedAt = clock()
    const state = await load()
    cachedStates.set(key, { version, state, loadedAt })
    return state
  }

  const counts = { hits: 0, misses: 0 }

  return {
    counts,
    async get(key, tables, load) {
      const version = await versions.read(tables)
      const cached = version.isSettled ? cachedStates.get(key) : undefined
      if (cached?.version === version.text && clock() - cached.loadedAt < lifetimeMs) {
        counts.hits += 1
        return cached.state
      }
      counts.misses += 1
      if (!version.isSettled) return load()
      const running = loads.get(key)
      if (running?.version === version.text) return running.state
      const current = { version: version.text, state: loadAndCache(key, version.text, load) }
      loads.set(key, current)
      try {
        return await current.state
      } finally {
        if (loads.get(key) === current) loads.delete(key)
      }
    },
  }
}
