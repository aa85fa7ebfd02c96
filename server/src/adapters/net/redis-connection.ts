import { Redis, type RedisOptions } from 'ioredis'
import { UnavailableError } from '../../ports/service-errors'

/** The URL of a Redis, or the sentinels that know the current master. */
export type RedisAddress =
  | string
  | {
      sentinels: { host: string; port: number }[]
      master: string
      username?: string
      password?: string
      sentinelPassword?: string
      tls: boolean
    }

/** Builds the options for an address behind sentinels; empty for a URL. */
const buildSentinelOptions = (address: RedisAddress, timeoutMs: number): RedisOptions => {
  if (typeof address === 'string') return {}
  const { sentinels, master: name, username, password, sentinelPassword, tls } = address
  return {
    sentinels,
    name,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // Leaves time to try the next sentinel if one does not respond.
    sentinelCommandTimeout: timeoutMs / 2,
    // Tries all sentinels twice, because the search starts after the sentinel that responded last. Then the request fails.
    sentinelRetryStrategy: (attempt) => (attempt > 1 ? null : 0),
  }
}

/**
 * Creates a connection to the platform's Redis, opened on first use and reopened after a loss. `run` executes commands; it throws
 * UnavailableError with `unavailableMessage` within `timeoutMs` if Redis does not respond.
 */
export const createRedisConnection = (address: RedisAddress, unavailableMessage: string, timeoutMs = 3000) => {
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    // A crashed master closes no connections; only a new connection finds its successor.
    socketTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
    ...buildSentinelOptions(address, timeoutMs),
  }
  const redis = typeof address === 'string' ? new Redis(address, options) : new Redis(options)
  let isClosed = false
  let connectionError: unknown
  // Errors are reported by the failing command. Without a listener, the driver would also print them.
  redis.on('error', (error) => (connectionError = error))
  redis.on('ready', () => (connectionError = undefined))
  /** Without a connection, the driver says of a command only that it was not sent. The connection's own error says why. */
  const findCause = (error: unknown) =>
    error instanceof Error && error.name === 'MaxRetriesPerRequestError' ? (connectionError ?? error) : error
  const run = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    // The driver stops reconnecting after no sentinel has responded, so the next command starts it again.
    if (redis.status === 'end' && !isClosed) redis.connect().catch(() => undefined)
    try {
      return await work(redis)
    } catch (error) {
      throw new UnavailableError(unavailableMessage, { cause: findCause(error) })
    }
  }
  const close = () => {
    isClosed = true
    redis.disconnect()
  }
  return { redis, run, close }
}

/** Keys per SCAN step. Redis blocks during a step, so steps are short. */
const scanBatchSize = 1000

/** Escapes the wildcards of Redis patterns. */
export const escapePattern = (text: string) => text.replace(/[*?[\]\\^]/g, '\\$&')

/** Yields the keys that match a pattern, in batches. KEYS would block Redis for all clients. A key may be returned twice. */
export async function* scanKeys(redis: Redis, pattern: string): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', scanBatchSize)
    if (keys.length > 0) yield keys
    cursor = next
  } while (cursor !== '0')
}
