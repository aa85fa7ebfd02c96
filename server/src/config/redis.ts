import { ConfigError } from './files'
import { isTrueText, wholeNumber, type Environment } from './settings'

/** The Redis Sentinels that know the current master, and the credentials for both. */
interface Sentinels {
  sentinels: { host: string; port: number }[]
  master: string
  username?: string
  password?: string
  /** The password of the sentinels; `password` is the one of Redis. */
  sentinelPassword?: string
  /** For the sentinels and for Redis. */
  tls: boolean
}

/** A Redis URL, or the sentinels that know the address of the master. */
export type RedisTarget = string | Sentinels

const parsePort = (setting: string, port: string): number => {
  const parsed = wholeNumber(1, 65535).safeParse(port)
  if (!parsed.success) throw new ConfigError(`${setting} must be a whole number from 1 to 65535.`)
  return parsed.data
}

const usesTls = (environment: Environment): boolean => isTrueText(environment.ENABLE_JAMBONES_REDIS_TLS ?? '')

/** A host name or IP address and a port. IPv6 addresses are in brackets. */
const hostAndPortPattern = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d+)$/i

const parseSentinels = (list: string): Sentinels['sentinels'] => {
  const requirement = 'JAMBONES_REDIS_SENTINELS must be a comma-separated list of host:port'
  const entries = list.split(',').map((entry) => entry.trim())
  return entries
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [, bracketedAddress, name, digits = ''] = hostAndPortPattern.exec(entry) ?? []
      const host = bracketedAddress ?? name
      const port = wholeNumber(1, 65535).safeParse(digits)
      if (!host || !port.success) throw new ConfigError(`${requirement}; ${entry} is not.`)
      return { host, port: port.data }
    })
}

/** As on the platform, SENTINEL_PASSWORD is the password of Redis, and SENTINEL_SERVER_PASSWORD the one of the sentinels. */
const readSentinels = (environment: Environment): Sentinels | undefined => {
  const sentinels = parseSentinels(environment.JAMBONES_REDIS_SENTINELS ?? '')
  if (sentinels.length === 0) return undefined
  const {
    JAMBONES_REDIS_SENTINEL_MASTER_NAME: master,
    JAMBONES_REDIS_SENTINEL_USERNAME: username,
    JAMBONES_REDIS_SENTINEL_PASSWORD: password,
    JAMBONES_REDIS_SENTINEL_SERVER_PASSWORD: sentinelPassword,
  } = environment
  if (!master)
    throw new ConfigError('JAMBONES_REDIS_SENTINEL_MASTER_NAME is required together with JAMBONES_REDIS_SENTINELS.')
  if (username && !password)
    throw new ConfigError(
      'JAMBONES_REDIS_SENTINEL_PASSWORD is required together with JAMBONES_REDIS_SENTINEL_USERNAME.',
    )
  return {
    sentinels,
    master: master,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    tls: usesTls(environment),
  }
}

const readRedisUrl = (environment: Environment): string | undefined => {
  const host = environment.JAMBONES_REDIS_HOST
  if (!host) return undefined
  const port = parsePort('JAMBONES_REDIS_PORT', environment.JAMBONES_REDIS_PORT || '6379')
  const [user, password] = [environment.JAMBONES_REDIS_USERNAME, environment.JAMBONES_REDIS_PASSWORD].map((value) =>
    encodeURIComponent(value ?? ''),
  )
  const credentials = user || password ? `${user}:${password}@` : ''
  return `${usesTls(environment) ? 'rediss' : 'redis'}://${credentials}${host}:${port}`
}

/** Redis from the separate variables of an existing installation. With sentinels, the host variable is ignored. */
export const readPlatformRedis = (environment: Environment): RedisTarget | undefined =>
  readSentinels(environment) ?? readRedisUrl(environment)
