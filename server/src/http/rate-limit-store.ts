import { LRUCache } from 'lru-cache'
import type { FastifyRateLimitStore } from '@fastify/rate-limit'
import type { Cache } from '../ports/cache'

interface CountingWindow {
  startMs: number
  /** The requests of all servers, as far as this one knows them. */
  count: number
  /** The part of `count` that the other servers do not know yet. */
  unsharedCount: number
}

type CountCallback = (error: Error | null, result?: { current: number; ttl: number }) => void

const describeWindow = ({ startMs, count }: CountingWindow, timeWindow: number) => ({
  current: count,
  ttl: timeWindow - (performance.now() - startMs),
})

/** Above this number the least recently used key is dropped. */
const maxKeys = 5000
/** Servers exchange their counts this often, so no request waits for the cache. */
const shareIntervalMs = 200

/** Adds this server's requests of a window to those of the other servers, and adopts the sum and the end of their window. */
const shareWindow = async (
  addToCounter: NonNullable<Cache['addToCounter']>,
  key: string,
  window: CountingWindow,
  timeWindow: number,
): Promise<void> => {
  const addend = window.unsharedCount
  window.unsharedCount = 0
  try {
    const { sum, remainingMs } = await addToCounter(key, addend, timeWindow)
    window.count = sum + window.unsharedCount
    window.startMs = performance.now() - (timeWindow - remainingMs)
  } catch {
    // Without the cache, each server counts its own requests.
    window.unsharedCount += addend
  }
}

/**
 * Creates the store of a rate limit: it counts requests per time window in the memory of this process and, if the servers share a
 * cache, adds up the counts of all servers. It uses a monotonic clock: if it used the system time, setting that back by an hour
 * would block clients for an hour.
 */
export const createRateLimitStore = (cache: Pick<Cache, 'addToCounter'>) =>
  class RateLimitStore implements FastifyRateLimitStore {
    private readonly windows = new LRUCache<string, CountingWindow>({ max: maxKeys })
    private readonly changedKeys = new Set<string>()
    /** Distinguishes the shared counters of several limits. */
    private name = ''

    incr(key: string, callback: CountCallback, timeWindow: number): void {
      const window = this.findOrCreateWindow(key, timeWindow)
      window.count += 1
      window.unsharedCount += 1
      this.windows.set(key, window)
      if (cache.addToCounter) this.scheduleSharing(key, timeWindow)
      callback(null, describeWindow(window, timeWindow))
    }

    /** Reports the count without changing it. */
    read(key: string, callback: CountCallback, timeWindow: number): void {
      callback(null, describeWindow(this.findOrCreateWindow(key, timeWindow), timeWindow))
    }

    /** The plugin passes the options of the limit, although its types say that they are those of a route. */
    child(options: object): RateLimitStore {
      const { max, timeWindow } = options as { max?: unknown; timeWindow?: unknown }
      const store = new RateLimitStore()
      store.name = `${String(max)}/${String(timeWindow)}`
      return store
    }

    private scheduleSharing(key: string, timeWindow: number): void {
      if (this.changedKeys.has(key)) return
      this.changedKeys.add(key)
      const share = async () => {
        this.changedKeys.delete(key)
        const window = this.windows.get(key)
        if (window && cache.addToCounter)
          await shareWindow(cache.addToCounter, `trunkline:rate:${this.name}:${key}`, window, timeWindow)
      }
      setTimeout(() => void share(), shareIntervalMs).unref()
    }

    private findOrCreateWindow(key: string, timeWindow: number): CountingWindow {
      const now = performance.now()
      const currentWindow = this.windows.get(key)
      return currentWindow && now - currentWindow.startMs < timeWindow
        ? currentWindow
        : { startMs: now, count: 0, unsharedCount: 0 }
    }
  }
