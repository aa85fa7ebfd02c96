import { join, resolve } from 'node:path'
import { z } from 'zod'
import { defaultFeatures, type Features } from '@trunkline/contract/features'
import { ConfigError, databaseFolder, keepingFolder, keptSecret } from './config-files'

export { ConfigError } from './config-files'

const on = (value: string) => ['1', 'true', 'yes', 'on'].includes(value.toLowerCase())
const off = (value: string) => ['0', 'false', 'no', 'off', ''].includes(value.toLowerCase())

const whole = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`)

const toggle = () =>
  z
    .string()
    .refine((value) => on(value) || off(value), 'must be true or false')
    .transform(on)

const address = () => z.url({ protocol: /^https?$/, error: 'must be an http or https address' })

/** An address of its own, or one in angle brackets after a name. */
const sender = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

/** A MySQL address with a host and the name of a database, or a file. */
const usableDatabase = (url: string): boolean => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return true
  if (!URL.canParse(url)) return false
  const { protocol, hostname, pathname } = new URL(url)
  return protocol === 'file:' || (/^(mysql|mariadb):$/.test(protocol) && hostname !== '' && pathname.length > 1)
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Each setting, its rule, and the other names under which an existing installation may already have it. */
const settings = {
  PORT: { rule: whole(0, 65535).default(3000), aliases: ['HTTP_PORT'] },
  HOST: { rule: z.string().default('127.0.0.1') },
  DATA_DIR: { rule: z.string().default('./data') },
  DATABASE_URL: {
    rule: z
      .string()
      .transform((value) => value.replace(/^sqlite:/, 'file:'))
      .refine(usableDatabase, 'must be mysql://user:password@host:port/name or a path to an SQLite file')
      .optional(),
  },
  DATABASE_CONNECTIONS: { rule: whole(1, 500).default(10), aliases: ['JAMBONES_MYSQL_CONNECTION_LIMIT'] },
  DATABASE_CA_FILE: { rule: z.string().optional(), aliases: ['JAMBONES_MYSQL_SSL_CA_FILE'] },
  REDIS_URL: {
    rule: z
      .url({ protocol: /^rediss?$/, error: 'must be redis://user:password@host:port, or rediss:// for TLS' })
      .optional(),
  },
  INITIAL_ADMIN_PASSWORD: { rule: z.string().min(1).optional(), aliases: ['JAMBONES_ADMIN_INITIAL_PASSWORD'] },
  INITIAL_ADMIN_API_KEY: { rule: z.guid({ error: 'must be a uuid' }).optional() },
  JWT_SECRET: { rule: z.string().min(1).optional() },
  JWT_EXPIRES_IN: { rule: whole(1, 525600).default(60) },
  ENCRYPTION_SECRET: { rule: z.string().min(1).optional() },
  LEGACY_CRYPTO: {
    rule: z
      .string()
      .transform((value) => value !== '')
      .default(false),
  },
  API_BASE_URL: { rule: address().optional() },
  PUBLIC_URL: { rule: address().optional(), aliases: ['JAMBONZ_BASE_URL'] },
  SMTP_URL: {
    rule: z.url({ protocol: /^smtps?$/, error: 'must be smtp://user:password@host:port or smtps://…' }).optional(),
  },
  MAIL_FROM: { rule: z.string().regex(sender, 'must be an address, or Name <address>').optional() },
  LOG_LEVEL: {
    rule: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
    aliases: ['JAMBONES_LOGLEVEL'],
  },
  TRUST_PROXY: { rule: whole(0, 32).default(0), aliases: ['JAMBONES_TRUST_PROXY'] },
  RATE_LIMIT_MAX: { rule: whole(1, 10_000_000).default(3000), aliases: ['RATE_LIMIT_MAX_PER_WINDOW'] },
  RATE_LIMIT_MINUTES: { rule: whole(1, 1440).default(5), aliases: ['RATE_LIMIT_WINDOWS_MINS'] },
  DISABLE_RATE_LIMITS: { rule: toggle().default(false) },
  LOGIN_ATTEMPTS_MAX_RETRIES: { rule: whole(1, 1000).default(6) },
  LOGIN_ATTEMPTS_TIME: { rule: whole(1, 86400).default(1800) },
  APPLY_DB_LIMITS: { rule: toggle().default(false), aliases: ['APPLY_JAMBONZ_DB_LIMITS'] },
  ADMIN_CARRIER: { rule: toggle().default(false), aliases: ['JAMBONES_ADMIN_CARRIER'] },
  APP_ENV_PRIVATE_TARGETS: { rule: toggle().default(false) },
  MIN_GATEWAY_NETMASK: { rule: whole(1, 32).optional(), aliases: ['JAMBONZ_MIN_GATEWAY_NETMASK'] },
  ENABLE_HOSTED_SYSTEM: {
    rule: toggle().default(false),
    aliases: ['VITE_APP_ENABLE_HOSTED_SYSTEM', 'JAMBONES_HOSTING'],
  },
  ENABLE_FORGOT_PASSWORD: { rule: toggle().optional(), aliases: ['VITE_APP_ENABLE_FORGOT_PASSWORD'] },
  ENABLE_ACCOUNT_LIMITS_ALL: {
    rule: toggle().default(defaultFeatures.allLimits),
    aliases: ['VITE_APP_ENABLE_ACCOUNT_LIMITS_ALL'],
  },
  DISABLE_CUSTOM_SPEECH: { rule: toggle().default(false), aliases: ['VITE_DISABLE_CUSTOM_SPEECH'] },
  DISABLE_LCR: { rule: toggle().default(false), aliases: ['VITE_APP_LCR_DISABLED'] },
  DISABLE_TRACING: {
    rule: toggle().default(false),
    aliases: ['DISABLE_JAEGER_TRACING', 'VITE_APP_JAEGER_TRACING_DISABLED'],
  },
  DISABLE_CALL_RECORDING: { rule: toggle().default(false), aliases: ['VITE_APP_DISABLE_CALL_RECORDING'] },
  DEFAULT_SERVICE_PROVIDER_SID: {
    rule: z.guid({ error: 'must be a uuid' }).optional(),
    aliases: ['VITE_APP_DEFAULT_SERVICE_PROVIDER_SID'],
  },
  GITHUB_CLIENT_ID: { rule: z.string().optional(), aliases: ['VITE_APP_GITHUB_CLIENT_ID'] },
  GOOGLE_CLIENT_ID: { rule: z.string().optional(), aliases: ['VITE_APP_GOOGLE_CLIENT_ID'] },
  STRIPE_PUBLISHABLE_KEY: { rule: z.string().optional(), aliases: ['VITE_APP_STRIPE_PUBLISHABLE_KEY'] },
  TERMS_URL: { rule: address().optional() },
  PRIVACY_URL: { rule: address().optional() },
} satisfies Record<string, { rule: z.ZodType; aliases?: string[] }>

type Settings = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['rule']> }

/** What the server runs with. Lifetimes in the unit that their name says. */
export interface Config {
  port: number
  host: string
  dataDir: string
  database: { url: string; connections: number; caFile?: string }
  /** Where voice servers keep what they have spoken; absent: nowhere that this server knows of. */
  redisUrl?: string
  initialAdmin: { password?: string; apiKey?: string }
  secrets: { jwt: string; encryption: string; legacyCrypto: boolean }
  tokenMinutes: number
  /** When set only the console is served, in front of that API. */
  apiBaseUrl?: string
  /** Where people reach the console: the beginning of links in mail. No slash at the end. */
  publicUrl: string
  /** Absent: nothing is sent. */
  mail?: { url: string; from: string }
  logLevel: Settings['LOG_LEVEL']
  trustProxy: number
  /** Requests in a window for each credential; null switches the limit off. */
  rateLimit: { max: number; minutes: number } | null
  lockout: { attempts: number; seconds: number }
  quotas: boolean
  adminCarrier: boolean
  minimumNetmask?: number
  /** Webhooks in private networks may be asked for the environment variables they take. */
  appEnvPrivateTargets: boolean
  features: Features
}

type Environment = Record<string, string | undefined>

const read = (environment: Environment): Settings => {
  const found: Record<string, unknown> = {}
  for (const [name, { rule, aliases = [] }] of Object.entries<{ rule: z.ZodType; aliases?: string[] }>(settings)) {
    const used = [name, ...aliases].find((each) => environment[each] !== undefined && environment[each] !== '')
    const result = rule.safeParse(used === undefined ? undefined : environment[used])
    if (!result.success) throw new ConfigError(`${used ?? name} ${result.error.issues[0]?.message ?? 'is not valid'}.`)
    found[name] = result.data
  }
  return found as Settings
}

/** The database address out of the single settings that an existing installation has for its MySQL server. */
const mysqlUrl = (environment: Environment): string | undefined => {
  const host = environment.JAMBONES_MYSQL_HOST
  if (!host) return undefined
  const user = environment.JAMBONES_MYSQL_USER
  const database = environment.JAMBONES_MYSQL_DATABASE
  if (!user) throw new ConfigError('JAMBONES_MYSQL_USER is required together with JAMBONES_MYSQL_HOST.')
  if (!database) throw new ConfigError('JAMBONES_MYSQL_DATABASE is required together with JAMBONES_MYSQL_HOST.')
  const password = encodeURIComponent(environment.JAMBONES_MYSQL_PASSWORD ?? '')
  const port = environment.JAMBONES_MYSQL_PORT || '3306'
  if (!whole(1, 65535).safeParse(port).success)
    throw new ConfigError('JAMBONES_MYSQL_PORT must be a whole number from 1 to 65535.')
  return `mysql://${encodeURIComponent(user)}:${password}@${host}:${port}/${encodeURIComponent(database)}`
}

/** The address of Redis out of the single settings that an existing installation has for it. */
const redisUrl = (environment: Environment): string | undefined => {
  const host = environment.JAMBONES_REDIS_HOST
  if (!host) return undefined
  const port = environment.JAMBONES_REDIS_PORT || '6379'
  if (!whole(1, 65535).safeParse(port).success)
    throw new ConfigError('JAMBONES_REDIS_PORT must be a whole number from 1 to 65535.')
  const [user, password] = [environment.JAMBONES_REDIS_USERNAME, environment.JAMBONES_REDIS_PASSWORD].map((word) =>
    encodeURIComponent(word ?? ''),
  )
  const login = user || password ? `${user}:${password}@` : ''
  return `${on(environment.ENABLE_JAMBONES_REDIS_TLS ?? '') ? 'rediss' : 'redis'}://${login}${host}:${port}`
}

const withRedis = (url: string | undefined) => (url ? { redisUrl: url } : {})

const secretsOf = (set: Settings, folder: string) => ({
  jwt: set.JWT_SECRET ?? keptSecret(folder, 'jwt-secret'),
  // An installation that set only JWT_SECRET has encrypted its columns with it.
  encryption: set.ENCRYPTION_SECRET ?? set.JWT_SECRET ?? keptSecret(folder, 'encryption-secret'),
  legacyCrypto: set.LEGACY_CRYPTO,
})

const withMail = ({ SMTP_URL: url, MAIL_FROM: from }: Settings) => {
  if (!url) return {}
  if (!from) throw new ConfigError('MAIL_FROM is required together with SMTP_URL.')
  return { mail: { url, from } }
}

/** Never out of a request: what a stranger writes into its Host header would stand in somebody's mail. */
const publicUrlOf = ({ PUBLIC_URL, HOST, PORT }: Settings): string => {
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/+$/, '')
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** In front of another API that one sends the mail, and only its operator knows whether it does. */
const forgotPasswordOf = ({ API_BASE_URL, SMTP_URL, ENABLE_FORGOT_PASSWORD: wanted }: Settings): boolean =>
  API_BASE_URL ? wanted === true : SMTP_URL !== undefined && wanted !== false

const featuresOf = (set: Settings): Features => ({
  apiBaseUrl: set.API_BASE_URL?.replace(/\/+$/, '') ?? defaultFeatures.apiBaseUrl,
  hosted: set.ENABLE_HOSTED_SYSTEM,
  forgotPassword: forgotPasswordOf(set),
  customSpeech: !set.DISABLE_CUSTOM_SPEECH,
  leastCostRouting: !set.DISABLE_LCR,
  tracing: !set.DISABLE_TRACING,
  callRecording: !set.DISABLE_CALL_RECORDING,
  allLimits: set.ENABLE_ACCOUNT_LIMITS_ALL,
  defaultServiceProviderSid: set.DEFAULT_SERVICE_PROVIDER_SID ?? null,
  githubClientId: set.GITHUB_CLIENT_ID ?? null,
  googleClientId: set.GOOGLE_CLIENT_ID ?? null,
  stripePublishableKey: set.STRIPE_PUBLISHABLE_KEY ?? null,
  termsUrl: set.TERMS_URL ?? null,
  privacyUrl: set.PRIVACY_URL ?? null,
})

/** Reads and checks the environment; this is the only place that does. Throws ConfigError with a sentence that names the setting. */
export const configOf = (environment: Environment = process.env): Config => {
  const set = read(environment)
  // In front of another API nothing is kept here, so no folder and no secret is needed.
  const folder = set.API_BASE_URL ? resolve(set.DATA_DIR) : keepingFolder('DATA_DIR', set.DATA_DIR)
  if (!set.API_BASE_URL) databaseFolder(set.DATABASE_URL)
  return {
    port: set.PORT,
    host: set.HOST,
    dataDir: folder,
    database: {
      url: set.DATABASE_URL ?? mysqlUrl(environment) ?? join(folder, 'trunkline.sqlite'),
      connections: set.DATABASE_CONNECTIONS,
      ...(set.DATABASE_CA_FILE ? { caFile: set.DATABASE_CA_FILE } : {}),
    },
    ...withRedis(set.REDIS_URL ?? redisUrl(environment)),
    initialAdmin: { password: set.INITIAL_ADMIN_PASSWORD, apiKey: set.INITIAL_ADMIN_API_KEY },
    secrets: set.API_BASE_URL ? { jwt: '', encryption: '', legacyCrypto: false } : secretsOf(set, folder),
    tokenMinutes: set.JWT_EXPIRES_IN,
    ...(set.API_BASE_URL ? { apiBaseUrl: set.API_BASE_URL } : {}),
    publicUrl: publicUrlOf(set),
    ...withMail(set),
    logLevel: set.LOG_LEVEL,
    trustProxy: set.TRUST_PROXY,
    rateLimit: set.DISABLE_RATE_LIMITS ? null : { max: set.RATE_LIMIT_MAX, minutes: set.RATE_LIMIT_MINUTES },
    lockout: { attempts: set.LOGIN_ATTEMPTS_MAX_RETRIES, seconds: set.LOGIN_ATTEMPTS_TIME },
    quotas: set.APPLY_DB_LIMITS,
    adminCarrier: set.ADMIN_CARRIER,
    ...(set.MIN_GATEWAY_NETMASK === undefined ? {} : { minimumNetmask: set.MIN_GATEWAY_NETMASK }),
    appEnvPrivateTargets: set.APP_ENV_PRIVATE_TARGETS,
    features: featuresOf(set),
  }
}
