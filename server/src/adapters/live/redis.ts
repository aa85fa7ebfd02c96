import { z } from 'zod'
import { messages } from '@trunkline/contract/messages/live-call'
import type { LiveCall, LivePlatform, Registration } from '../../ports/live-platform'
import { keysLike, literal, redisConnection, type RedisPlace } from '../net/redis-connection'

/** The platform's names in Redis. */
const activeCalls = 'active-call-sids'
const callKey = (account_sid: string, call_sid: string) => `call:${account_sid}:${call_sid}`
const registeredAs = 'user:'

const word = z.string().optional().catch(undefined)
const right = z.boolean().optional().catch(undefined)
/** What has not the form that it should have is not said: one registration must not hide all others. */
const registration = z.object({
  contact: word,
  protocol: word,
  sbcAddress: word,
  proxy: word,
  expiryTime: z.coerce.number().optional().catch(undefined),
  allow_direct_app_calling: right,
  allow_direct_queue_calling: right,
  allow_direct_user_calling: right,
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

export interface RedisPlatform {
  redis: RedisPlace
  /** Where one address stands for all servers that handle calls, as in Kubernetes. */
  callServer?: string
  /** Under which name the platform's servers know each other. */
  cluster: string
}

/** The Redis through which the platform's servers tell each other what is going on. */
export const redisPlatform = (
  { redis: place, callServer, cluster }: RedisPlatform,
  patience?: number,
): LivePlatform => {
  const { redis, asked, close } = redisConnection(place, messages.unavailable, patience)

  const everyKey = async (pattern: string): Promise<string[]> => {
    const keys = new Set<string>()
    for await (const found of keysLike(redis, pattern)) for (const key of found) keys.add(key)
    return [...keys].sort()
  }

  /** What each of these keys holds, in one go. One that is not of this kind holds nothing. */
  const each = async <T>(
    keys: readonly string[],
    ask: (key: string) => [string, ...string[]],
  ): Promise<(T | null)[]> => {
    if (keys.length === 0) return []
    const answers = await redis.pipeline(keys.map(ask)).exec()
    return (answers ?? []).map(([fault, value]) => {
      if (fault && !fault.message.startsWith('WRONGTYPE')) throw fault
      return fault ? null : (value as T)
    })
  }

  const hashes = async (keys: readonly string[]): Promise<LiveCall[]> => {
    const found = await each<LiveCall>(keys, (key) => ['hgetall', key])
    return found.flatMap((hash, at) =>
      hash && Object.keys(hash).length > 0 ? [{ ...hash, accountSid: keys[at]!.split(':')[1] ?? '' }] : [],
    )
  }

  return {
    callServers: () =>
      callServer ? Promise.resolve([callServer]) : asked(() => redis.smembers(`${cluster}:fs-service-url`)),
    calls: (account_sid) =>
      asked(async () => {
        const beginning = account_sid === undefined ? 'call:' : callKey(account_sid, '')
        return hashes((await redis.zrange(activeCalls, '0', '-1')).filter((key) => key.startsWith(beginning)))
      }),
    call: (account_sid, call_sid) => asked(async () => (await hashes([callKey(account_sid, call_sid)]))[0]),
    forget: (account_sid, call_sid) => asked(async () => (await redis.del(callKey(account_sid, call_sid))) > 0),
    queues: (account_sid, search = '') =>
      asked(async () => {
        const prefix = `queue:${account_sid}:`
        const wanted = search.includes('*') ? search.split('*').map(literal).join('*') : `*${literal(search)}*`
        const keys = await everyKey(`${literal(prefix)}${wanted}`)
        const lengths = await each<number>(keys, (key) => ['zcard', key])
        return keys.flatMap((key, at) => {
          const length = lengths[at]
          return typeof length === 'number' ? [{ name: key.slice(prefix.length), length }] : []
        })
      }),
    conferences: (account_sid) =>
      asked(async () => {
        const prefix = `conf:${account_sid}:`
        return (await everyKey(`${literal(prefix)}*`)).map((key) => key.slice(prefix.length))
      }),
    callCount: (account_sid) =>
      asked(async () => {
        const found = await redis.mget(`incalls:account:${account_sid}`, `outcalls:account:${account_sid}`)
        const [inbound = 0, outbound = 0] = found.map(countOf)
        return { inbound, outbound }
      }),
    registered: (realm) =>
      asked(async () =>
        (await everyKey(`${registeredAs}*@${literal(realm)}`)).map((key) => key.slice(registeredAs.length)),
      ),
    registrations: (realm, users) =>
      asked(async () => {
        const found = await each<string>(
          users.map((user) => `${registeredAs}${user}@${realm}`),
          (key) => ['get', key],
        )
        return users.map((_, at) => registrationOf(found[at]))
      }),
    close,
  }
}
