import { createServer, type AddressInfo, type Server } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Cache } from '../../ports/cache'
import { UnavailableError } from '../../ports/service-errors'
import { memoryCache } from './memory'
import { redisCache } from './redis'

/** An empty Redis for tests; without one, only the memory cache is tested. */
const server = process.env.TEST_REDIS_URL

const factories: [string, () => Cache][] = [['memory', memoryCache]]
if (server) factories.push(['Redis', () => redisCache(server)])

describe.each(factories)('a cache in %s', (_, create) => {
  const cache = create()
  afterEach(() => cache.clear(''))
  afterAll(() => cache.close())

  it('counts and clears keys by prefix only', async () => {
    for (const key of ['tts:a:1', 'tts:a:2', 'tts:ab:1', 'tts:b:1', 'other']) await cache.set(key, 'x', 60)
    expect(await cache.count('tts:')).toBe(4)
    expect(await cache.count('tts:a:')).toBe(2)
    await cache.clear('tts:a:')
    expect(await cache.count('tts:a:')).toBe(0)
    expect(await cache.count('tts:')).toBe(2)
    const b = (key: string) => key.startsWith('tts:b')
    expect(await cache.count('tts:', b)).toBe(1)
    await cache.clear('tts:', b)
    expect(await cache.count('tts:')).toBe(1)
    await cache.clear('tts:')
    expect(await cache.count('')).toBe(1)
    await cache.clear('tts:')
  })

  it('returns the latest value of each key', async () => {
    expect(await cache.get('tts:a:1')).toBeUndefined()
    await cache.set('tts:a:1', 'old', 60)
    await cache.set('tts:a:1', 'neu ♪', 60)
    expect(await cache.get('tts:a:1')).toBe('neu ♪')
    await cache.clear('tts:')
    expect(await cache.get('tts:a:1')).toBeUndefined()
  })

  it('does not interpret characters of a key as a pattern', async () => {
    for (const key of ['a*b:1', 'axb:1', 'a?b:1', 'a[x]b:1', 'a\\b:1']) await cache.set(key, 'x', 60)
    for (const prefix of ['a*b:', 'a?b:', 'a[x]b:', 'a\\b:']) expect(await cache.count(prefix)).toBe(1)
  })

  it('finds more keys than one scan step returns', async () => {
    await Promise.all(Array.from({ length: 2500 }, (__, index) => cache.set(`tts:many:${index}`, 'x', 60)))
    expect(await cache.count('tts:many:')).toBe(2500)
    await cache.clear('tts:many:')
    expect(await cache.count('')).toBe(0)
  })

  it('removes expired entries', async () => {
    await cache.set('tts:old', 'x', 1)
    await cache.set('tts:new', 'x', 60)
    await expect.poll(() => cache.count('tts:'), { timeout: 5000 }).toBe(1)
    expect(await cache.get('tts:old')).toBeUndefined()
  })
})

it('the memory cache removes the oldest entries beyond its size', async () => {
  const cache = memoryCache(10)
  for (const key of ['a', 'b', 'a', 'c']) await cache.set(key, '1234', 60)
  expect(await Promise.all(['a', 'b', 'c'].map((key) => cache.get(key)))).toEqual(['1234', undefined, '1234'])
  await cache.set('large', '12345678901', 60)
  // larger than the cache: not stored, and the others stay
  expect([await cache.get('large'), await cache.count('')]).toEqual([undefined, 2])
})

describe.skipIf(!server)('Redis', () => {
  it('is never sent KEYS or DEL', async () => {
    const watch = new Redis(server!)
    const received: string[] = []
    const monitor = await watch.monitor()
    monitor.on('monitor', (_time: string, [command = '']: string[]) => received.push(command.toLowerCase()))
    const cache = redisCache(server!)
    await cache.set('tts:x', 'x', 60)
    await cache.count('tts:')
    await cache.clear('tts:')
    await expect.poll(() => received).toContain('unlink')
    expect(received).toContain('scan')
    expect(received.filter((command) => command === 'keys' || command === 'del')).toEqual([])
    await cache.close()
    monitor.disconnect()
    watch.disconnect()
  })
})

describe('a Redis that does not respond', () => {
  const servers: Server[] = []
  afterAll(() => servers.forEach((item) => item.close()))

  /** A server that accepts connections and sends nothing. */
  const silent = async () => {
    const server = createServer((socket) => socket.on('error', () => undefined).unref()).unref()
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return (server.address() as AddressInfo).port
  }
  const closed = async () => {
    const port = await silent()
    await new Promise((done) => servers.pop()!.close(done))
    return port
  }

  it.each([
    ['is not reachable', closed],
    ['does not respond', silent],
  ])('is reported quickly every time when it %s', async (_, port) => {
    const cache = redisCache(`redis://127.0.0.1:${await port()}`, 200)
    for (const ask of [
      () => cache.count('tts:'),
      () => cache.clear('tts:'),
      () => cache.get('tts:x'),
      () => cache.set('tts:x', 'x', 1),
    ]) {
      const error = await ask().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UnavailableError)
      expect((error as Error).message).toMatch(/REDIS_URL/)
    }
    await cache.close()
  })
})
