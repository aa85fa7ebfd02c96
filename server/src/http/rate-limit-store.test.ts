import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startBackend, type Backend } from '../../test/backend'
import { createApiClient, type ApiClient } from '../../test/api-client'
import { createRateLimitStore } from './rate-limit-store'

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

type Store = InstanceType<ReturnType<typeof createRateLimitStore>>

const count = (store: Store, key: string, windowMs: number) => {
  let current = 0
  store.incr(key, (_, result) => (current = result!.current), windowMs)
  return current
}

const read = (store: Store, key: string, windowMs: number) => {
  let current = 0
  store.read(key, (_, result) => (current = result!.current), windowMs)
  return current
}

describe('the store of the rate limit', () => {
  const LocalStore = createRateLimitStore({})

  it('counts each key separately and restarts in a new window', () => {
    const store = new LocalStore()
    expect([count(store, 'a', 60_000), count(store, 'a', 60_000), count(store, 'b', 60_000)]).toEqual([1, 2, 1])
    // A window of 0 ms is over at once.
    expect(count(store, 'a', 0)).toBe(1)
  })

  it('drops the least recently used key when there are too many', () => {
    const store = new LocalStore()
    count(store, 'idle', 60_000)
    count(store, 'busy', 60_000)
    for (let key = 0; key < 4998; key++) count(store, String(key), 60_000)
    expect(count(store, 'busy', 60_000)).toBe(2)
    count(store, 'additional', 60_000)
    expect(count(store, 'busy', 60_000)).toBe(3)
    expect(count(store, 'idle', 60_000)).toBe(1)
  })
})

describe('the stores of servers that share a cache', () => {
  const limit = { max: 20, timeWindow: 60_000 }

  it('add up the requests of a key, separately for each limit', async () => {
    const sums = new Map<string, number>()
    const addToCounter = async (key: string, addend: number) => {
      sums.set(key, (sums.get(key) ?? 0) + addend)
      return { sum: sums.get(key)!, remainingMs: 30_000 }
    }
    const [first, second, other] = [limit, limit, { ...limit, max: 5 }].map((options) =>
      new (createRateLimitStore({ addToCounter }))().child(options),
    ) as [Store, Store, Store]
    for (let request = 0; request < 7; request += 1) count(first, 'key', 60_000)
    count(second, 'key', 60_000)
    count(other, 'key', 60_000)
    await vi.waitFor(() => expect([...sums.values()]).toEqual([8, 1]))
    expect(count(second, 'key', 60_000)).toBe(9)
    expect(count(other, 'key', 60_000)).toBe(2)
    // the end of the shared window
    let ttlMs = 0
    second.read('key', (_, result) => (ttlMs = result!.ttl), 60_000)
    expect(ttlMs).toBeLessThanOrEqual(30_000)
  })

  it('count their own requests while the cache does not respond, and share them later', async () => {
    let isDown = true
    let shared = 0
    const addToCounter = async (_: string, addend: number) => {
      if (isDown) throw new Error('no connection')
      shared += addend
      return { sum: shared, remainingMs: 30_000 }
    }
    const store = new (createRateLimitStore({ addToCounter }))()
    for (let request = 0; request < 3; request += 1) count(store, 'key', 60_000)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(read(store, 'key', 60_000)).toBe(3)
    isDown = false
    count(store, 'key', 60_000)
    await vi.waitFor(() => expect(shared).toBe(4))
    expect(read(store, 'key', 60_000)).toBe(4)
  })
})
