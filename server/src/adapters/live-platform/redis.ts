import { z } from 'zod'
import { messages } from '@trunkline/contract/messages/live-call'
import type { LiveCall, LivePlatform, Registration } from '../../ports/live-platform'
import { scanKeys, escapePattern, redisConnection, type RedisAddress } from '../net/redis-connection'

/** The platform's keys in Redis. */
const activeCallsKey = 'active-call-sids'
const callKey = (account_sid: string, call_sid: string) => `call:${account_sid}:${call_sid}`
const registrationPrefix = 'user:'

const optionalText = z.string().optional().catch(undefined)
const optionalFlag = z.boolean().optional().catch(undefined)
/** Ignores malformed fields: one invalid registration must not hide all others. */
const registration = z.object({
  contact: optionalText,
  protocol: optionalText,
  sbcAddress: optionalText,
  proxy: optionalText,
  expiryTime: z.coerce.number().optional().catch(undefined),
  allow_direct_app_calling: optionalFlag,
  allow_direct_queue_calling: optionalFlag,
  allow_direct_user_calling: optionalFlag,
})

const registrationOf = (text: string | null | undefined): Registration | undefined => {
  if (!text) return undefined
  try {
    return registration.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const countOf = (text: string | null | undefined): number => {
  const count = Number(text)
  return Number.isFinite(count) ? count : 0
}

export interface RedisPlatformOptions {
  redis: RedisAddress
  /** One address for all servers that handle calls, for example in Kubernetes. */
  callServer?: string
  /** The cluster name of the platform's servers. */
  cluster: string
}

/** The live state of the platform, read from the Redis that its servers share. */
export const redisPlatform = (
  { redis: address, callServer, cluster }: RedisPlatformOptions,
  timeoutMs?: number,
): LivePlatform => {
  const { redis, run, close } = redisConnection(address, messages.unavailable, timeoutMs)

  const listKeys = async (pattern: string): Promise<string[]> => {
    const keys = new Set<string>()
    for await (const values of scanKeys(redis, pattern)) for (const key of values) keys.add(key)
    return [...keys].sort()
  }

  /** Runs one command per key in a pipeline. Keys of another type yield null. */
  const readKeys = async <T>(
    keys: readonly string[],
    commandFor: (key: string) => [string, ...string[]],
  ): Promise<(T | null)[]> => {
    if (keys.length === 0) return []
    const results = await redis.pipeline(keys.map(commandFor)).exec()
    return (results ?? []).map(([error, value]) => {
      if (error && !error.message.startsWith('WRONGTYPE')) throw error
      return error ? null : (value as T)
    })
  }

  const hashes = async (keys: readonly string[]): Promise<LiveCall[]> => {
    const values = await readKeys<LiveCall>(keys, (key) => ['hgetall', key])
    return values.flatMap((hash, index) =>
      hash && Object.keys(hash).length > 0 ? [{ ...hash, accountSid: keys[index]!.split(':')[1] ?? '' }] : [],
    )
  }

  return {
    callServers: () =>
      callServer ? Promise.resolve([callServer]) : run(() => redis.smembers(`${cluster}:fs-service-url`)),
    calls: (account_sid) =>
      run(async () => {
        const keyPrefix = account_sid === undefined ? 'call:' : callKey(account_sid, '')
        return hashes((await redis.zrange(activeCallsKey, '0', '-1')).filter((key) => key.startsWith(keyPrefix)))
      }),
    call: (account_sid, call_sid) => run(async () => (await hashes([callKey(account_sid, call_sid)]))[0]),
    forget: (account_sid, call_sid) => run(async () => (await redis.del(callKey(account_sid, call_sid))) > 0),
    queues: (account_sid, search = '') =>
      run(async () => {
        const prefix = `queue:${account_sid}:`
        const pattern = search.includes('*')
          ? search.split('*').map(escapePattern).join('*')
          : `*${escapePattern(search)}*`
        const keys = await listKeys(`${escapePattern(prefix)}${pattern}`)
        const lengths = await readKeys<number>(keys, (key) => ['zcard', key])
        return keys.flatMap((key, index) => {
          const length = lengths[index]
          return typeof length === 'number' ? [{ name: key.slice(prefix.length), length }] : []
        })
      }),
    conferences: (account_sid) =>
      run(async () => {
        const prefix = `conf:${account_sid}:`
        return (await listKeys(`${escapePattern(prefix)}*`)).map((key) => key.slice(prefix.length))
      }),
    callCount: (account_sid) =>
      run(async () => {
        const values = await redis.mget(`incalls:account:${account_sid}`, `outcalls:account:${account_sid}`)
        const [inbound = 0, outbound = 0] = values.map(countOf)
        return { inbound, outbound }
      }),
    registered: (realm) =>
      run(async () =>
        (await listKeys(`${registrationPrefix}*@${escapePattern(realm)}`)).map((key) =>
          key.slice(registrationPrefix.length),
        ),
      ),
    registrations: (realm, users) =>
      run(async () => {
        const values = await readKeys<string>(
          users.map((user) => `${registrationPrefix}${user}@${realm}`),
          (key) => ['get', key],
        )
        return users.map((_, index) => registrationOf(values[index]))
      }),
    close,
  }
}
