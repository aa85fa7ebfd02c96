import type { FastifyRateLimitStore } from '@fastify/rate-limit'

interface Window {
  startMs: number
  count: number
}

/** Keys that are remembered at once; the one that has been idle for longest gives way. */
const maxKeys = 5000

/**
 * Counts requests in windows of time, in the memory of this process. It measures with a clock that only goes forward:
 * with the time of day, a clock that is set back would keep a client out for as long as it was set back.
 */
export class RateLimitStore implements FastifyRateLimitStore {
  private readonly windows = new Map<string, Window>()

  incr(
    key: string,
    callback: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const now = performance.now()
    const existing = this.windows.get(key)
    const window = existing && now - existing.startMs < timeWindow ? existing : { startMs: now, count: 0 }
    window.count += 1
    this.windows.delete(key)
    this.windows.set(key, window)
    if (this.windows.size > maxKeys) this.windows.delete(this.windows.keys().next().value!)
    callback(null, { current: window.count, ttl: timeWindow - (now - window.startMs) })
  }

  child(): RateLimitStore {
    return new RateLimitStore()
  }
}
