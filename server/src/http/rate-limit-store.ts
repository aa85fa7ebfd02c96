import { LRUCache } from 'lru-cache'
import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface CountingWindow {
  startMs: number
  count: number
}

type CountCallback = (error: Error | null, result?: { current: number; ttl: number }) => void

const describeWindow = ({ startMs, count }: CountingWindow, timeWindow: number) => ({
  current: count,
  ttl: timeWindow - (performance.now() - startMs),
})

/** Above this number the least recently used key is dropped. */
const maxKeys = 5000

/**
 * Counts requests per time window in the memory of this process. It uses a monotonic clock: if it used the
 * system time, setting that back by an hour would block clients for an hour.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  private readonly windows = new LRUCache<string, CountingWindow>({ max: maxKeys })

  incr(key: string, callback: CountCallback, timeWindow: number): void {
    const window = this.findOrCreateWindow(key, timeWindow)
    window.count += 1
    this.windows.set(key, window)
    callback(null, describeWindow(window, timeWindow))
  }

  /** Reports the count without changing it. */
  read(key: string, callback: CountCallback, timeWindow: number): void {
    callback(null, describeWindow(this.findOrCreateWindow(key, timeWindow), timeWindow))
  }

  child(): RateLimitStore {
    return new RateLimitStore()
  }

  private findOrCreateWindow(key: string, timeWindow: number): CountingWindow {
    const now = performance.now()
    const currentWindow = this.windows.get(key)
    return currentWindow && now - currentWindow.startMs < timeWindow ? currentWindow : { startMs: now, count: 0 }
  }
}
