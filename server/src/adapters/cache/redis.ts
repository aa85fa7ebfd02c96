import { messages } from '@trunkline/contract/messages/tts-cache'
import type { Cache, KeyFilter } from '../../ports/cache'
import { keysLike, literal, redisConnection, type RedisPlace } from '../net/redis-connection'

/** A cache that voice servers share. */
export const redisCache = (place: RedisPlace, patience?: number): Cache => {
  const { redis, asked, close } = redisConnection(place, messages.unavailable, patience)

  const keysOf = async (
    prefix: string,
    which: KeyFilter = () => true,
    take: (keys: string[]) => Promise<unknown> | void,
  ) => {
    for await (const found of keysLike(redis, `${literal(prefix)}*`)) {
      const keys = found.filter(which)
      if (keys.length > 0) await take(keys)
    }
  }

  return {
    shared: true,
    get: (key) => asked(async () => (await redis.get(key)) ?? undefined),
    set: (key, value, seconds) =>
      asked(async () => {
        await redis.set(key, value, 'EX', seconds)
      }),
    count: (prefix, which) =>
      asked(async () => {
        let size = 0
        await keysOf(prefix, which, (keys) => void (size += keys.length))
        return size
      }),
    // Unlinked: the memory is given back behind the scenes, so that a large cache does not stop Redis.
    clear: (prefix, which) => asked(() => keysOf(prefix, which, (keys) => redis.unlink(...keys))),
    close: () => {
      close()
      return Promise.resolve()
    },
  }
}
