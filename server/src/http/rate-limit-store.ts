import { LRUCache } from 'lru-cache'
import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface CountingWindow {
  startMs: number
  count: number
}

/** Above this number the least recently used key is dropped. */
const maxKeys = 5000

/**
 * Counts requests per time window in the memory of this process. It uses a monotonic clock: if it used the
 * system time, setting that back by an hour would block clients for an hour.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  private readonly windows = new LRUCache<string, CountingWindow>({ max: maxKeys })

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = performance.now()
    const currentWindow = this.windows.get(key)
    const window =
      currentWindow && now - currentWindow.startMs < timeWindow ? currentWindow : { startMs: now, count: 0 }
    window.count += 1
    this.windows.set(key, window)
    callback(null, { current: window.count, ttl: timeWindow - (now - window.startMs) })
  }

  child(): RateLimitStore {
    return new RateLimitStore()
  }
}
