import type { Cache, KeyFilter } from '../../ports/cache'

/**
 * A cache of this process, for installations without Redis. Holds up to `maxChars` characters; the oldest entries are removed
 * first.
 */
export const memoryCache = (maxChars = 64 * 1024 * 1024): Cache => {
  const entries = new Map<string, { value: string; until: number }>()
  let storedChars = 0
  const remove = (key: string) => {
    storedChars -= entries.get(key)?.value.length ?? 0
    entries.delete(key)
  }
  const removeExpired = () => {
    const now = Date.now()
    for (const [key, { until }] of entries) if (until <= now) remove(key)
  }
  const keys = (prefix: string, filter: KeyFilter = () => true) => {
    removeExpired()
    return [...entries.keys()].filter((key) => key.startsWith(prefix) && filter(key))
  }
  return {
    isShared: false,
    get: (key) => {
      removeExpired()
      return Promise.resolve(entries.get(key)?.value)
    },
    set: (key, value, seconds) => {
      remove(key)
      entries.set(key, { value, until: Date.now() + seconds * 1000 })
      storedChars += value.length
      for (const oldest of entries.keys()) {
        if (storedChars <= maxChars) break
        remove(oldest)
      }
      return Promise.resolve()
    },
    count: (prefix, filter) => Promise.resolve(keys(prefix, filter).length),
    clear: (prefix, filter) => {
      for (const key of keys(prefix, filter)) remove(key)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}
