import { LRUCache } from 'lru-cache'
import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Window {
  startMs: number
  count: number
}

/** Above this number the least recently used key is dropped. */
const maxKeys = 5000

/**
 * Counts requests per time window in the memory of this process. It uses a monotonic clock: with the wall clock, setting the
 * time back would block clients for just as long.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  private readonly windows = new LRUCache<string, Window>({ max: maxKeys })

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
