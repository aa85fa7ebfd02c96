import { messages } from '@trunkline/contract/messages/tts-cache'
import type { Cache, KeyFilter } from '../../ports/cache'
import { scanKeys, escapePattern, createRedisConnection, type RedisAddress } from '../net/redis-connection'

/** Creates a cache that the platform's voice servers share. */
export const createRedisCache = (address: RedisAddress, timeoutMs?: number): Cache => {
  const { redis, run, close } = createRedisConnection(address, messages.unavailable, timeoutMs)

  const forEachBatch = async (
    prefix: string,
    filter: KeyFilter = () => true,
    handle: (keys: string[]) => Promise<unknown> | void,
  ) => {
    for await (const batch of scanKeys(redis, `${escapePattern(prefix)}*`)) {
      const keys = batch.filter(filter)
      if (keys.length > 0) await handle(keys)
    }
  }

  return {
    isShared: true,
    get: (key) => run(async () => (await redis.get(key)) ?? undefined),
    set: (key, value, seconds) =>
      run(async () => {
        await redis.set(key, value, 'EX', seconds)
      }),
    countKeys: (prefix, filter) =>
      run(async () => {
        let keyCount = 0
        await forEachBatch(prefix, filter, (keys) => void (keyCount += keys.length))
        return keyCount
      }),
    // UNLINK frees memory in the background, so a large cache does not block Redis.
    clear: (prefix, filter) => run(() => forEachBatch(prefix, filter, (keys) => redis.unlink(...keys))),
    addToCounter: (key, addend, lifetimeMs) =>
      run(async () => {
        // The first command sets the lifetime, and only for a new key. Options of PEXPIRE would need Redis 7.
        const replies = await redis.multi().set(key, 0, 'PX', lifetimeMs, 'NX').incrby(key, addend).pttl(key).exec()
        const [sum, remainingMs] = (replies ?? []).slice(1).map(([error, reply]) => {
          if (error) throw error
          return Number(reply)
        })
        return { sum: sum!, remainingMs: remainingMs! }
      }),
    close: () => {
      close()
      return Promise.resolve()
    },
  }
}
