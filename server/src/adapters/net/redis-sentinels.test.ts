import { createServer, type AddressInfo, type Server } from 'node:net'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { canStartSentinels, startSentinels } from '../../../test/doubles/sentinels'
import { UnavailableError } from '../../ports/service-errors'
import { createRedisCache } from '../cache/redis'
import { createRedisPlatform } from '../live-platform/redis'
import type { RedisAddress } from './redis-connection'

type SentinelAddress = Exclude<RedisAddress, string>

/** Sentinels are only tested where a redis-server binary and a test Redis are available. */
const hasRedis = Boolean(process.env.TEST_REDIS_URL) && canStartSentinels()

/** Waits for a request. Returns its result or error, and how long it took. */
const measureFailure = async (request: Promise<unknown>) => {
  const startedAt = Date.now()
  const error = await request.catch((thrown: unknown) => thrown)
  return { error, elapsedMs: Date.now() - startedAt }
}

const servers: Server[] = []
afterAll(() => servers.forEach((server) => server.close()))

/** Starts a server that accepts connections and sends nothing. Returns its port. */
const startSilentServer = async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).unref()).unref()
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

describe.skipIf(!hasRedis)('Redis behind sentinels', () => {
  let cluster: Awaited<ReturnType<typeof startSentinels>>
  beforeAll(async () => {
    cluster = await startSentinels()
    const sentinel = new Redis({ port: cluster.ports.sentinel, password: cluster.credentials.sentinelPassword })
    sentinel.on('error', () => undefined)
    // A sentinel can only promote a replica that it knows.
    const readReplicaLinkStates = async () => {
      const replicas = (await sentinel.call('SENTINEL', 'replicas', 'platform').catch(() => [])) as string[][]
      // Each replica is a list of alternating names and values.
      return replicas.map((fields) => fields[fields.indexOf('master-link-status') + 1])
    }
    await vi.waitFor(async () => expect(await readReplicaLinkStates()).toEqual(['ok']), {
      timeout: 30_000,
      interval: 200,
    })
    sentinel.disconnect()
  })
  afterAll(() => cluster.stop())

  it('is reached with its own credentials at the address that a sentinel returns', async () => {
    const cache = createRedisCache(cluster.redisTarget)
    await cache.set('tts:x', 'value', 60)
    const masterClient = new Redis({ port: cluster.ports.first, ...cluster.credentials })
    expect(await masterClient.get('tts:x')).toBe('value')
    masterClient.disconnect()
    await cache.close()
    const platform = createRedisPlatform({ redis: cluster.redisTarget, cluster: 'c1' })
    expect(await platform.listFeatureServers()).toEqual([])
    platform.close()
  })

  it('is found even if some of the sentinels are down or do not respond', async () => {
    const host = '127.0.0.1'
    const sentinels = [{ host, port: 1 }, { host, port: await startSilentServer() }, ...cluster.redisTarget.sentinels]
    const cache = createRedisCache({ ...cluster.redisTarget, sentinels }, 2000)
    expect(await cache.countKeys('none:')).toBe(0)
    await cache.close()
  })

  it.each<[string, Partial<SentinelAddress>]>([
    ['the password of Redis', { password: 'wrong' }],
    ['the password of the sentinels', { sentinelPassword: 'wrong' }],
    ['the name of the master', { master: 'wrong' }],
  ])('is reported as unavailable when %s is wrong', async (_, invalidAddress) => {
    const cache = createRedisCache({ ...cluster.redisTarget, ...invalidAddress }, 1000)
    for (let index = 0; index < 2; index += 1) {
      const { error, elapsedMs } = await measureFailure(cache.countKeys('tts:'))
      expect(error).toBeInstanceOf(UnavailableError)
      expect(elapsedMs).toBeLessThan(2000)
    }
    await cache.close()
  })

  it('is found again after a failover, even if the old master closed no connection', async () => {
    const cache = createRedisCache(cluster.redisTarget, 500)
    await cache.set('tts:y', 'replicated', 60)
    cluster.freezeFirst()
    expect((await measureFailure(cache.get('tts:y'))).error).toBeInstanceOf(UnavailableError)
    const read = () => cache.get('tts:y').catch(() => 'unavailable')
    await expect.poll(read, { timeout: 20_000, interval: 200 }).toBe('replicated')
    await cache.close()
  })

  it('keeps working without sentinels, but new connections fail until they are back', async () => {
    const connectedCache = createRedisCache(cluster.redisTarget, 500)
    expect(await connectedCache.get('tts:y')).toBe('replicated')
    await cluster.stopSentinel()
    expect(await connectedCache.get('tts:y')).toBe('replicated')
    const newCache = createRedisCache(cluster.redisTarget, 500)
    expect((await measureFailure(newCache.get('tts:y'))).error).toBeInstanceOf(UnavailableError)
    cluster.restartSentinel()
    await expect.poll(() => newCache.get('tts:y').catch(() => 'unavailable'), { timeout: 10_000 }).toBe('replicated')
    await connectedCache.close()
    await newCache.close()
  })
})

describe('sentinels that do not respond', () => {
  /** Returns a port on which no server listens. */
  const findClosedPort = async () => {
    const port = await startSilentServer()
    await new Promise((done) => servers.pop()!.close(done))
    return port
  }
  const buildSentinelAddress = async (ports: Promise<number>[]): Promise<SentinelAddress> => ({
    sentinels: (await Promise.all(ports)).map((port) => ({ host: '127.0.0.1', port })),
    master: 'platform',
    tls: false,
  })

  it.each([
    ['are not reachable', findClosedPort],
    ['do not respond', startSilentServer],
  ])('are reported quickly every time when they %s', async (_, getPort) => {
    const cache = createRedisCache(await buildSentinelAddress([getPort(), getPort()]), 300)
    for (let index = 0; index < 4; index += 1) {
      const { error, elapsedMs } = await measureFailure(cache.countKeys('tts:'))
      expect(error).toBeInstanceOf(UnavailableError)
      expect((error as Error).message).toMatch(/REDIS_URL/)
      expect(elapsedMs).toBeLessThan(1500)
    }
    await cache.close()
    // Requests after close() fail too, without an attempt to connect.
    expect((await measureFailure(cache.countKeys('tts:'))).error).toBeInstanceOf(UnavailableError)
  })
})
