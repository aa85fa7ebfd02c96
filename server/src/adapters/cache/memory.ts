import type { Cache } from '../../ports/cache'

/** A cache of this process alone, for an installation without Redis. */
export const memoryCache = (): Cache => {
  const kept = new Map<string, { value: string; until: number }>()
  const keys = (prefix: string) => {
    const now = Date.now()
    for (const [key, { until }] of kept) if (until <= now) kept.delete(key)
    return [...kept.keys()].filter((key) => key.startsWith(prefix))
  }
  return {
    set: (key, value, seconds) => {
      kept.set(key, { value, until: Date.now() + seconds * 1000 })
      return Promise.resolve()
    },
    count: (prefix) => Promise.resolve(keys(prefix).length),
    clear: (prefix) => {
      for (const key of keys(prefix)) kept.delete(key)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}
