import { createServer, type AddressInfo, type Server } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sentinelsCanBeHad, startSentinels } from '../../../test/doubles/sentinels'
import { UnavailableError } from '../../ports/service-errors'
import { redisCache } from '../cache/redis'
import { redisPlatform } from '../live-platform/redis'

/** Sentinels are only tested where a redis-server binary and a test Redis are available. */
const hasRedis = Boolean(process.env.TEST_REDIS_URL) && sentinelsCanBeHad()

const faultOf = async (request: Promise<unknown>) => {
  const startedAt = Date.now()
  const error = await request.catch((thrown: unknown) => thrown)
  return { error, took: Date.now() - startedAt }
}

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

/** A server that accepts connections and sends nothing. */
const silent = async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).unref()).unref()
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

describe.skipIf(!hasRedis)('Redis behind sentinels', () => {
  let world: Awaited<ReturnType<typeof startSentinels>>
  beforeAll(async () => {
    world = await startSentinels()
    const sentinel = new Redis({ port: world.ports.watch, password: world.login.sentinelPassword })
    sentinel.on('error', () => undefined)
    // A sentinel can only promote a replica that it knows.
    const copies = async () => {
      const known = (await sentinel.call('SENTINEL', 'replicas', 'platform').catch(() => [])) as string[][]
      return known.map((copy) => copy[copy.indexOf('master-link-status') + 1])
    }
    await vi.waitFor(async () => expect(await copies()).toEqual(['ok']), { timeout: 30_000, interval: 200 })
    sentinel.disconnect()
  })
  afterAll(() => world.stop())

  it('is used with its own credentials at the address from a sentinel', async () => {
    const cache = redisCache(world.place)
    await cache.set('tts:x', 'kept', 60)
    const direct = new Redis({ port: world.ports.first, ...world.login })
    expect(await direct.get('tts:x')).toBe('kept')
    direct.disconnect()
    await cache.close()
    const live = redisPlatform({ redis: world.place, cluster: 'c1' })
    expect(await live.callServers()).toEqual([])
    live.close()
  })

  it('is found if one of several sentinels is down or silent', async () => {
    const host = '127.0.0.1'
    const sentinels = [{ host, port: 1 }, { host, port: await silent() }, ...world.place.sentinels]
    const cache = redisCache({ ...world.place, sentinels }, 2000)
    expect(await cache.count('none:')).toBe(0)
    await cache.close()
  })

  it.each([
    ['the password of Redis', { password: 'wrong' }],
    ['the password of the sentinels', { sentinelPassword: 'wrong' }],
    ['the name of the master', { master: 'wrong' }],
  ])('is reported as unavailable when %s is wrong', async (_, invalid) => {
    const cache = redisCache({ ...world.place, ...invalid }, 1000)
    for (let index = 0; index < 2; index += 1) {
      const { error, took: elapsedMs } = await faultOf(cache.count('tts:'))
      expect(error).toBeInstanceOf(UnavailableError)
      expect(elapsedMs).toBeLessThan(2000)
    }
    await cache.close()
  })

  it('is found again after a failover, even if the old master closed no connection', async () => {
    const cache = redisCache(world.place, 500)
    await cache.set('tts:y', 'copied', 60)
    world.freezeFirst()
    expect((await faultOf(cache.get('tts:y'))).error).toBeInstanceOf(UnavailableError)
    const read = () => cache.get('tts:y').catch(() => 'away')
    await expect.poll(read, { timeout: 20_000, interval: 200 }).toBe('copied')
    await cache.close()
  })

  it('keeps working without sentinels; new connections fail until they are back', async () => {
    const initialValue = redisCache(world.place, 500)
    expect(await initialValue.get('tts:y')).toBe('copied')
    await world.stopSentinel()
    expect(await initialValue.get('tts:y')).toBe('copied')
    const after = redisCache(world.place, 500)
    expect((await faultOf(after.get('tts:y'))).error).toBeInstanceOf(UnavailableError)
    world.startSentinelAgain()
    await expect.poll(() => after.get('tts:y').catch(() => 'away'), { timeout: 10_000 }).toBe('copied')
    await initialValue.close()
    await after.close()
  })
})

describe('sentinels that do not respond', () => {
  const closed = async () => {
    const port = await silent()
    await new Promise((done) => servers.pop()!.close(done))
    return port
  }
  const setup = async (ports: Promise<number>[]) => ({
    sentinels: (await Promise.all(ports)).map((port) => ({ host: '127.0.0.1', port })),
    master: 'platform',
    tls: false,
  })

  it.each([
    ['are not reachable', closed],
    ['do not respond', silent],
  ])('are reported quickly every time when they %s', async (_, port) => {
    const cache = redisCache(await setup([port(), port()]), 300)
    for (let index = 0; index < 4; index += 1) {
      const { error, took: elapsedMs } = await faultOf(cache.count('tts:'))
      expect(error).toBeInstanceOf(UnavailableError)
      expect((error as Error).message).toMatch(/REDIS_URL/)
      expect(elapsedMs).toBeLessThan(1500)
    }
    await cache.close()
    // Later requests fail too, and no connection is attempted any more.
    expect((await faultOf(cache.count('tts:'))).error).toBeInstanceOf(UnavailableError)
  })
})
