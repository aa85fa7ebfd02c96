import { Redis } from 'ioredis'
import { Unavailable } from '../ports/unavailable'

/**
 * A connection to the platform's Redis, made with the first use and again after a loss. `asked` does what is asked of it;
 * who asks while it is away is told `silent` within `patience` milliseconds.
 */
export const redisConnection = (url: string, silent: string, patience = 3000) => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: patience,
    commandTimeout: patience,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  // Every loss of the connection is told to whoever asks; without a listener it would be told to the console as well.
  redis.on('error', () => undefined)
  const asked = async <T>(work: (redis: Redis) => Promise<T>): Promise<T> => {
    try {
      return await work(redis)
    } catch (error) {
      throw new Unavailable(silent, { cause: error })
    }
  }
  return { redis, asked, close: () => redis.disconnect() }
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
