import { Redis, type RedisOptions } from 'ioredis'
import { Unavailable } from '../../ports/unavailable'

/** The address of a Redis, or the sentinels that know which one of several is the master. */
export type RedisPlace =
  | string
  | {
      sentinels: { host: string; port: number }[]
      master: string
      username?: string
      password?: string
      sentinelPassword?: string
      tls: boolean
    }

const ways = (place: RedisPlace, patience: number): RedisOptions => {
  if (typeof place === 'string') return {}
  const { sentinels, master: name, username, password, sentinelPassword, tls } = place
  return {
    sentinels,
    name,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    // One that takes no notice leaves time to ask the next.
    sentinelCommandTimeout: patience / 2,
    // Once more, as a search begins with the one after the last that answered; then who waits is told.
    sentinelRetryStrategy: (round) => (round > 1 ? null : 0),
  }
}

/**
 * A connection to the platform's Redis, made with the first use and again after a loss. `asked` does what is asked of it;
 * who asks while it is away is told `silent` within `patience` milliseconds.
 */
export const redisConnection = (place: RedisPlace, silent: string, patience = 3000) => {
  const options: RedisOptions = {
    lazyConnect: true,
    connectTimeout: patience,
    commandTimeout: patience,
    // A master whose machine is gone closes nothing; only a new connection finds the one that took its place.
    socketTimeout: patience,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
    ...ways(place, patience),
  }
  const redis = typeof place === 'string' ? new Redis(place, options) : new Redis(options)
  let closed = false
  // Every loss of the connection is told to whoever asks; without a listener it would be told to the console as well.
  redis.on('error', () => undefined)
  const asked = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    // The driver tries no more once no sentinel has answered. Who asks tries again.
    if (redis.status === 'end' && !closed) redis.connect().catch(() => undefined)
    try {
      return await work(redis)
    } catch (error) {
      throw new Unavailable(silent, { cause: error })
    }
  }
  const close = () => {
    closed = true
    redis.disconnect()
  }
  return { redis, asked, close }
}

/** Keys looked at in one step: Redis does nothing else meanwhile, so a step stays short. */
const step = 1000

/** Text whose characters a pattern of Redis would read as its own. */
export const literal = (text: string) => text.replace(/[*?[\]\\^]/g, '\\$&')

/** Step by step through the keys of a pattern, never at once: KEYS would stop Redis for everybody. A key may come twice. */
export async function* keysLike(redis: Redis, pattern: string): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', step)
    if (found.length > 0) yield found
    cursor = next
  } while (cursor !== '0')
}
