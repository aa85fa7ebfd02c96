import { Redis } from 'ioredis'
import { messages } from '@trunkline/contract/messages/tts-cache'
import type { Cache } from '../../ports/cache'
import { Unavailable } from '../../ports/unavailable'

/** Keys looked at in one step: Redis does nothing else meanwhile, so a step stays short. */
const step = 1000

/** The characters that a pattern of Redis would read as its own. */
const literal = (prefix: string) => prefix.replace(/[*?[\]\\^]/g, '\\$&')

/**
 * A cache that voice servers share. It connects with the first use and again after a loss; who asks meanwhile is told
 * within `patience` milliseconds that it does not answer.
 */
export const redisCache = (url: string, patience = 3000): Cache => {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: patience,
    commandTimeout: patience,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * 200, 5000),
  })
  // Every loss of the connection is told to whoever asks; without a listener it would be told to the console as well.
  redis.on('error', () => undefined)

  const asked = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw new Unavailable(messages.unavailable, { cause: error })
    }
  }

  /** Step by step through all keys, never at once: KEYS would stop Redis for everybody. */
  const keysOf = async (prefix: string, take: (keys: string[]) => Promise<unknown> | void) => {
    let cursor = '0'
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${literal(prefix)}*`, 'COUNT', step)
      if (keys.length > 0) await take(keys)
      cursor = next
    } while (cursor !== '0')
  }

  return {
    set: (key, value, seconds) =>
      asked(async () => {
        await redis.set(key, value, 'EX', seconds)
      }),
    count: (prefix) =>
      asked(async () => {
        let size = 0
        await keysOf(prefix, (keys) => void (size += keys.length))
        return size
      }),
    // Unlinked: the memory is given back behind the scenes, so that a large cache does not stop Redis.
    clear: (prefix) => asked(() => keysOf(prefix, (keys) => redis.unlink(...keys))),
    close: () => {
      redis.disconnect()
      return Promise.resolve()
    },
  }
}
