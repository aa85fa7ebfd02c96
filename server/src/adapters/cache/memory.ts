import { LRUCache } from 'lru-cache'
import type { Cache, KeyFilter } from '../../ports/cache'

/** Creates a cache in the memory of this process, for installations without Redis. Holds up to `maxChars` characters. */
export const createMemoryCache = (maxChars = 64 * 1024 * 1024): Cache => {
  // Date.now, because an entry can live for days and the monotonic clock stops while a machine is suspended
  const entries = new LRUCache<string, string>({
    maxSize: maxChars,
    sizeCalculation: (value) => Math.max(1, value.length),
    ttlResolution: 0,
    perf: Date,
  })
  const findKeys = (prefix: string, filter: KeyFilter = () => true) =>
    [...entries.keys()].filter((key) => key.startsWith(prefix) && filter(key))

  return {
    isShared: false,
    get: (key) => Promise.resolve(entries.get(key)),
    set: (key, value, seconds) => {
      entries.set(key, value, { ttl: seconds * 1000 })
      return Promise.resolve()
    },
    countKeys: (prefix, filter) => Promise.resolve(findKeys(prefix, filter).length),
    clear: (prefix, filter) => {
      for (const key of findKeys(prefix, filter)) entries.delete(key)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}
