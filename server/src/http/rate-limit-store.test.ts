import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { createApiClient, type ApiClient } from '../../test/api-client'
import { RateLimitStore } from './rate-limit-store'

const hourMs = 3_600_000

describe('the window of the rate limit', () => {
  let backend: Backend
  let acmeClient: ApiClient
  beforeEach(async () => {
    backend = await startBackend({ config: { rateLimit: { max: 1, minutes: 5 } } })
    acmeClient = createApiClient(backend.app, backend.testData.keys.acme)
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await backend.close()
  })

  it('does not get longer when the system clock is set back', async () => {
    await acmeClient('GET', '/Accounts')
    vi.setSystemTime(Date.now() - hourMs)
    const { status, headers } = await acmeClient('GET', '/Accounts')
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(300)
  })

  it('does not get shorter when the system clock is set forward', async () => {
    await acmeClient('GET', '/Accounts')
    vi.setSystemTime(Date.now() + hourMs)
    expect(await acmeClient('GET', '/Accounts')).toMatchObject({ status: 429 })
  })
})

describe('the store of the rate limit', () => {
  const count = (store: RateLimitStore, key: string, windowMs: number) => {
    let current = 0
    store.incr(key, (_, result) => (current = result!.current), windowMs)
    return current
  }

  it('counts each key separately and restarts in a new window', () => {
    const store = new RateLimitStore()
    expect([count(store, 'a', 60_000), count(store, 'a', 60_000), count(store, 'b', 60_000)]).toEqual([1, 2, 1])
    // A window of 0 ms is over at once.
    expect(count(store, 'a', 0)).toBe(1)
  })

  it('drops the least recently used key when there are too many', () => {
    const store = new RateLimitStore()
    count(store, 'idle', 60_000)
    count(store, 'busy', 60_000)
    for (let key = 0; key < 4998; key++) count(store, String(key), 60_000)
    expect(count(store, 'busy', 60_000)).toBe(2)
    count(store, 'additional', 60_000)
    expect(count(store, 'busy', 60_000)).toBe(3)
    expect(count(store, 'idle', 60_000)).toBe(1)
  })
})
