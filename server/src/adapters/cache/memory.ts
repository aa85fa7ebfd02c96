import type { Cache, KeyFilter } from '../../ports/cache'

/** A cache of this process alone, for an installation without Redis. It holds up to `most` characters; the oldest go first. */
export const memoryCache = (most = 64 * 1024 * 1024): Cache => {
  const kept = new Map<string, { value: string; until: number }>()
  let held = 0
  const drop = (key: string) => {
    held -= kept.get(key)?.value.length ?? 0
    kept.delete(key)
  }
  const dropOld = () => {
    const now = Date.now()
    for (const [key, { until }] of kept) if (until <= now) drop(key)
  }
  const keys = (prefix: string, which: KeyFilter = () => true) => {
    dropOld()
    return [...kept.keys()].filter((key) => key.startsWith(prefix) && which(key))
  }
  return {
    shared: false,
    get: (key) => {
      dropOld()
      return Promise.resolve(kept.get(key)?.value)
    },
    set: (key, value, seconds) => {
      drop(key)
      kept.set(key, { value, until: Date.now() + seconds * 1000 })
      held += value.length
      for (const oldest of kept.keys()) {
        if (held <= most) break
        drop(oldest)
      }
      return Promise.resolve()
    },
    count: (prefix, which) => Promise.resolve(keys(prefix, which).length),
    clear: (prefix, which) => {
      for (const key of keys(prefix, which)) drop(key)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}
