import { createHash } from 'node:crypto'

interface CachedLookup<Value> {
  value: Promise<Value>
  until: number
}

export interface LookupCacheOptions {
  /** Maximum entries. The least recently used one is removed first. */
  maxEntries: number
  lifetimeMs: number
}

/**
 * Caches expensive lookups. Concurrent lookups share one request, and errors are not cached. Keys may contain secrets, so only
 * their digests are stored.
 */
export const lookupCache = <Value>({ maxEntries, lifetimeMs }: LookupCacheOptions, now: () => number = Date.now) => {
  const entries = new Map<string, CachedLookup<Value>>()

  return (name: string, lookUp: () => Promise<Value>): Promise<Value> => {
    const key = createHash('sha256').update(name).digest('base64')
    const cached = entries.get(key)
    entries.delete(key)
    const entry = cached && cached.until > now() ? cached : { value: lookUp(), until: now() + lifetimeMs }
    entries.set(key, entry)
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!)
    entry.value.catch(() => {
      if (entries.get(key) === entry) entries.delete(key)
    })
    return entry.value
  }
}
