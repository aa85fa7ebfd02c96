import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export interface LookupCacheOptions {
  /** Maximum entries. The least recently used one is removed first. */
  maxEntries: number
  lifetimeMs: number
}

/**
 * Creates a cache of expensive lookups. Concurrent lookups share one request, and errors are not cached. Keys may contain secrets, so only
 * their digests are stored.
 */
export const createLookupCache = <Value>(
  { maxEntries, lifetimeMs }: LookupCacheOptions,
  now: () => number = Date.now,
) => {
  const entries = new LRUCache<string, Promise<Value>>({
    max: maxEntries,
    ttl: lifetimeMs,
    ttlResolution: 0,
    perf: { now },
  })

  return (lookupKey: string, lookUp: () => Promise<Value>): Promise<Value> => {
    const key = createHash('sha256').update(lookupKey).digest('base64')
    const cachedValue = entries.get(key)
    if (cachedValue) return cachedValue
    const value = lookUp()
    entries.set(key, value)
    value.catch(() => {
      if (entries.peek(key) === value) entries.delete(key)
    })
    return value
  }
}
