import * as z from 'zod'
import { messages } from '@trunkline/contract/messages/live-call'
import type { LiveCall, LivePlatform, Registration } from '../../ports/live-platform'
import { scanKeys, escapePattern, createRedisConnection, type RedisAddress } from '../net/redis-connection'

/** The platform's keys in Redis. */
const activeCallsKey = 'active-call-sids'
const buildCallKey = (account_sid: string, call_sid: string) => `call:${account_sid}:${call_sid}`
const registrationPrefix = 'user:'

const optionalText = z.string().optional().catch(undefined)
const optionalFlag = z.boolean().optional().catch(undefined)
/** A registration. Malformed fields are ignored: one invalid registration must not hide all others. */
const registrationSchema = z.object({
  contact: optionalText,
  protocol: optionalText,
  sbcAddress: optionalText,
  proxy: optionalText,
  expiryTime: z.coerce.number().optional().catch(undefined),
  allow_direct_app_calling: optionalFlag,
  allow_direct_queue_calling: optionalFlag,
  allow_direct_user_calling: optionalFlag,
})

const parseRegistration = (text: string | null | undefined): Registration | undefined => {
  if (!text) return undefined
  try {
    return registrationSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const parseCount = (text: string | null | undefined): number => {
  const count = Number(text)
  return Number.isFinite(count) ? count : 0
}

export interface RedisPlatformOptions {
  redis: RedisAddress
  /** The URL of all feature servers together, for example of a service in Kubernetes. Replaces the list in Redis. */
  featureServerUrl?: string
  /** The cluster name of the platform's servers. */
  cluster: string
}

/** Creates a reader of the platform's live state in the Redis that its servers share. */
export const createRedisPlatform = (
  { redis: address, featureServerUrl, cluster }: RedisPlatformOptions,
  timeoutMs?: number,
): LivePlatform => {
  const { redis, run, close } = createRedisConnection(address, messages.unavailable, timeoutMs)

  const listKeys = async (pattern: string): Promise<string[]> => {
    const keys = new Set<string>()
    for await (const values of scanKeys(redis, pattern)) for (const key of values) keys.add(key)
    return [...keys].sort()
  }

  /** Runs one command per key in a pipeline. The result of a key with another type of value is null. */
  const readKeys = async <T>(
    keys: readonly string[],
    buildCommand: (key: string) => [string, ...string[]],
  ): Promise<(T | null)[]> => {
    if (keys.length === 0) return []
    const results = await redis.pipeline(keys.map(buildCommand)).exec()
    return (results ?? []).map(([error, value]) => {
      if (error && !error.message.startsWith('WRONGTYPE')) throw error
      return error ? null : (value as T)
    })
  }

  /** Reads calls by their keys. Calls that have ended meanwhile are left out. */
  const readCalls = async (keys: readonly string[]): Promise<LiveCall[]> => {
    const values = await readKeys<LiveCall>(keys, (key) => ['hgetall', key])
    return values.flatMap((hash, index) =>
      hash && Object.keys(hash).length > 0 ? [{ ...hash, accountSid: keys[index]!.split(':')[1] ?? '' }] : [],
    )
  }

  return {
    listFeatureServers: () =>
      featureServerUrl ? Promise.resolve([featureServerUrl]) : run(() => redis.smembers(`${cluster}:fs-service-url`)),
    listCalls: (account_sid) =>
      run(async () => {
        const keyPrefix = account_sid === undefined ? 'call:' : buildCallKey(account_sid, '')
        return readCalls((await redis.zrange(activeCallsKey, '0', '-1')).filter((key) => key.startsWith(keyPrefix)))
      }),
    findCall: (account_sid, call_sid) => run(async () => (await readCalls([buildCallKey(account_sid, call_sid)]))[0]),
    removeCall: (account_sid, call_sid) => run(async () => (await redis.del(buildCallKey(account_sid, call_sid))) > 0),
    listQueues: (account_sid, search = '') =>
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
    listConferences: (account_sid) =>
      run(async () => {
        const prefix = `conf:${account_sid}:`
        return (await listKeys(`${escapePattern(prefix)}*`)).map((key) => key.slice(prefix.length))
      }),
    countCalls: (account_sid) =>
      run(async () => {
        const values = await redis.mget(`incalls:account:${account_sid}`, `outcalls:account:${account_sid}`)
        const [inbound = 0, outbound = 0] = values.map(parseCount)
        return { inbound, outbound }
      }),
    listRegisteredUsers: (realm) =>
      run(async () =>
        (await listKeys(`${registrationPrefix}*@${escapePattern(realm)}`)).map((key) =>
          key.slice(registrationPrefix.length),
        ),
      ),
    findRegistrations: (realm, users) =>
      run(async () => {
        const values = await readKeys<string>(
          users.map((user) => `${registrationPrefix}${user}@${realm}`),
          (key) => ['get', key],
        )
        return users.map((_, index) => parseRegistration(values[index]))
      }),
    close,
  }
}
