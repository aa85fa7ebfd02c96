import { createServer, type AddressInfo, type Server } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Cache } from '../../ports/cache'
import { UnavailableError } from '../../ports/service-errors'
import { createMemoryCache } from './memory'
import { createRedisCache } from './redis'

/** The URL of an empty Redis for tests; without one, only the memory cache is tested. */
const redisUrl = process.env.TEST_REDIS_URL

const factories: [string, () => Cache][] = [['memory', createMemoryCache]]
if (redisUrl) factories.push(['Redis', () => createRedisCache(redisUrl)])

it.runIf(redisUrl)(
  'a counter in Redis adds up what several servers add, and expires after its first addition',
  async () => {
    const [cache, other] = [createRedisCache(redisUrl!), createRedisCache(redisUrl!)]
    expect((await cache.addToCounter!('rate:a', 3, 60_000)).sum).toBe(3)
    const { sum, remainingMs } = await other.addToCounter!('rate:a', 2, 3_600_000)
    expect(sum).toBe(5)
    expect(remainingMs).toBeLessThanOrEqual(60_000)
    expect((await cache.addToCounter!('rate:b', 1, 20)).sum).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await cache.addToCounter!('rate:b', 1, 20)).sum).toBe(1)
    await cache.clear('rate:')
    await Promise.all([cache.close(), other.close()])
  },
)

describe.each(factories)('a cache in %s', (_, createCache) => {
  const cache = createCache()
  afterEach(() => cache.clear(''))
  afterAll(() => cache.close())

  it('counts and clears only the keys with a prefix, and those that match a filter', async () => {
    for (const key of ['tts:a:1', 'tts:a:2', 'tts:ab:1', 'tts:b:1', 'other']) await cache.set(key, 'x', 60)
    expect(await cache.countKeys('tts:')).toBe(4)
    expect(await cache.countKeys('tts:a:')).toBe(2)
    await cache.clear('tts:a:')
    expect(await cache.countKeys('tts:a:')).toBe(0)
    expect(await cache.countKeys('tts:')).toBe(2)
    const isKeyOfB = (key: string) => key.startsWith('tts:b')
    expect(await cache.countKeys('tts:', isKeyOfB)).toBe(1)
    await cache.clear('tts:', isKeyOfB)
    expect(await cache.countKeys('tts:')).toBe(1)
    await cache.clear('tts:')
    expect(await cache.countKeys('')).toBe(1)
    await cache.clear('tts:')
  })

  it('returns the latest value of each key', async () => {
    expect(await cache.get('tts:a:1')).toBeUndefined()
    await cache.set('tts:a:1', 'old', 60)
    await cache.set('tts:a:1', 'new ♪', 60)
    expect(await cache.get('tts:a:1')).toBe('new ♪')
    await cache.clear('tts:')
    expect(await cache.get('tts:a:1')).toBeUndefined()
  })

  it('does not interpret characters of a key as a pattern', async () => {
    for (const key of ['a*b:1', 'axb:1', 'a?b:1', 'a[x]b:1', 'a\\b:1']) await cache.set(key, 'x', 60)
    for (const prefix of ['a*b:', 'a?b:', 'a[x]b:', 'a\\b:']) expect(await cache.countKeys(prefix)).toBe(1)
  })

  it('finds more keys than one scan step returns', async () => {
    await Promise.all(Array.from({ length: 2500 }, (__, index) => cache.set(`tts:many:${index}`, 'x', 60)))
    expect(await cache.countKeys('tts:many:')).toBe(2500)
    await cache.clear('tts:many:')
    expect(await cache.countKeys('')).toBe(0)
  })

  it('removes expired entries', async () => {
    await cache.set('tts:old', 'x', 1)
    await cache.set('tts:new', 'x', 60)
    await expect.poll(() => cache.countKeys('tts:'), { timeout: 5000 }).toBe(1)
    expect(await cache.get('tts:old')).toBeUndefined()
  })
})

it('the memory cache removes the oldest entries beyond its size', async () => {
  const cache = createMemoryCache(10)
  for (const key of ['a', 'b', 'a', 'c']) await cache.set(key, '1234', 60)
  expect(await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)))).toEqual(['1234', undefined, '1234'])
  await cache.set('large', '12345678901', 60)
  // A value that is larger than the cache is not stored, and the other entries stay.
  expect([await cache.get('large'), await cache.countKeys('')]).toEqual([undefined, 2])
})

describe.skipIf(!redisUrl)('Redis', () => {
  it('is never sent KEYS or DEL', async () => {
    const monitoringClient = new Redis(redisUrl!)
    const received: string[] = []
    const monitor = await monitoringClient.monitor()
    monitor.on('monitor', (_time: string, [command = '']: string[]) => received.push(command.toLowerCase()))
    const cache = createRedisCache(redisUrl!)
    await cache.set('tts:x', 'x', 60)
    await cache.countKeys('tts:')
    await cache.clear('tts:')
    await expect.poll(() => received).toContain('unlink')
    expect(received).toContain('scan')
    expect(received.filter((command) => command === 'keys' || command === 'del')).toEqual([])
    await cache.close()
    monitor.disconnect()
    monitoringClient.disconnect()
  })
})

describe('a Redis that does not respond', () => {
  const servers: Server[] = []
  afterAll(() => servers.forEach((server) => server.close()))

  /** Starts a server that accepts connections and sends nothing. Returns its port. */
  const startSilentServer = async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).unref()).unref()
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }
  /** Returns a port on which no server listens. */
  const findClosedPort = async () => {
    const port = await startSilentServer()
    await new Promise((done) => servers.pop()!.close(done))
    return port
  }

  it.each([
    ['is not reachable', findClosedPort],
    ['does not respond', startSilentServer],
  ])('is reported quickly every time when it %s', async (_, getPort) => {
    const cache = createRedisCache(`redis://127.0.0.1:${await getPort()}`, 200)
    for (const runCommand of [
      () => cache.countKeys('tts:'),
      () => cache.clear('tts:'),
      () => cache.get('tts:x'),
      () => cache.set('tts:x', 'x', 1),
    ]) {
      const error = await runCommand().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnavailableError)
      expect((error as Error).message).toMatch(/REDIS_URL/)
    }
    await cache.close()
  })
})
