import * as z from 'zod'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import { ConfigError } from './files'

export const isTrueText = (value: string) => ['1', 'true', 'yes', 'on'].includes(value.toLowerCase())
const isFalseText = (value: string) => ['0', 'false', 'no', 'off', ''].includes(value.toLowerCase())

export const wholeNumber = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be from ${minimum} to ${maximum}`)

const booleanText = () =>
  z
    .string()
    .refine((value) => isTrueText(value) || isFalseText(value), 'must be true or false')
    .transform(isTrueText)

const httpUrl = () => z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

/** The URL of a ClickHouse, whose path is the name of a database. */
const clickHouseUrl = () =>
  httpUrl().refine(
    (url) => URL.canParse(url) && /^\/?$|^\/[a-z_]\w*\/?$/i.test(new URL(url).pathname),
    'must be http://user:password@host:8123/database, and the database a name of letters, digits and underscores',
  )

/** A comma-separated list. */
const nameList = (pattern: RegExp, message: string) =>
  z
    .string()
    .transform((text) => [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== ''))
    .refine((names) => names.length > 0 && names.every((name) => pattern.test(name)), message)

const isOrigin = (text: string) => /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).pathname === '/'

/** A comma-separated list of origins. */
const originList = () =>
  z
    .string()
    .transform((text) => text.split(',').flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()])))
    .refine(
      (list) => list.every(isOrigin),
      'must be a comma-separated list of origins such as https://recordings.example.com',
    )
    .transform((list) => [...new Set(list.map((origin) => new URL(origin).origin))])

/** The names and values of a comma-separated list of `name=value`; undefined if it is none. Values may be percent-encoded. */
const parseNameValueList = (text: string): Record<string, string> | undefined => {
  const entries = text.split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()]))
  try {
    const pairs = entries.map((entry) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*)$/.exec(entry) ?? []
      if (name === undefined || value === undefined) throw new SyntaxError()
      return [decodeURIComponent(name), decodeURIComponent(value)] as const
    })
    return Object.fromEntries(pairs)
  } catch {
    return undefined
  }
}

/** Node refuses to send other characters in a header. */
const isHeaderText = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

/** A list in the format of OpenTelemetry. The message never repeats the list, which may contain credentials. */
const nameValueList = (isValidText: (text: string) => boolean = () => true) =>
  z
    .string()
    .transform(parseNameValueList)
    .refine(
      (list) => list !== undefined && Object.entries(list).flat().every(isValidText),
      'must be a comma-separated list of name=value with percent-encoded values',
    )
    .transform((list) => list ?? {})

const ratio = () =>
  z
    .string()
    .refine((text) => /^(\d+(\.\d*)?|\.\d+)$/.test(text) && Number(text) <= 1, 'must be a number from 0 to 1')
    .transform(Number)

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

const telemetryProtocols = ['http/protobuf', 'http/json', 'grpc'] as const

/** An e-mail address, or a name and an address in angle brackets. */
const senderPattern = /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

/** A MySQL URL with host and database name, or a file. */
const isDatabaseUrl = (url: string): boolean => {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return true
  if (!URL.canParse(url)) return false
  const { protocol, hostname, pathname } = new URL(url)
  return protocol === 'file:' || (/^(mysql|mariadb):$/.test(protocol) && hostname !== '' && pathname.length > 1)
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Each setting with its rule. `aliases` are the names of the same setting in the environment of an existing jambonz
 * installation.
 */
export const settingDefinitions = {
  PORT: { rule: wholeNumber(0, 65535).default(3000), aliases: ['HTTP_PORT'] },
  HOST: { rule: z.string().default('127.0.0.1') },
  DATA_DIR: { rule: z.string().default('./data') },
  DATABASE_URL: {
    rule: z
      .string()
      .transform((value) => value.replace(/^sqlite:/, 'file:'))
      .refine(isDatabaseUrl, 'must be mysql://user:password@host:port/name or a path to an SQLite file')
      .optional(),
  },
  DATABASE_CONNECTIONS: { rule: wholeNumber(1, 500).default(10), aliases: ['JAMBONES_MYSQL_CONNECTION_LIMIT'] },
  DATABASE_TIMEOUT_SECONDS: { rule: wholeNumber(2, 3600).default(8) },
  DATABASE_CA_FILE: { rule: z.string().optional(), aliases: ['JAMBONES_MYSQL_SSL_CA_FILE'] },
  REDIS_URL: {
    rule: z
      .url({ protocol: /^rediss?$/, error: 'must be redis://user:password@host:port, or rediss:// for TLS' })
      .optional(),
  },
  FEATURE_SERVER_URL: { rule: httpUrl().optional() },
  FEATURE_SERVER_API_VERSION: {
    rule: z
      .string()
      .regex(/^\w[\w.-]*$/, 'must be a version, such as v1')
      .default('v1'),
    aliases: ['JAMBONES_API_VERSION'],
  },
  CLUSTER_ID: { rule: z.string().min(1).default('default'), aliases: ['JAMBONES_CLUSTER_ID'] },
  INITIAL_ADMIN_PASSWORD: { rule: z.string().min(1).optional(), aliases: ['JAMBONES_ADMIN_INITIAL_PASSWORD'] },
  INITIAL_ADMIN_API_KEY: { rule: z.guid({ error: 'must be a UUID' }).optional() },
  JWT_SECRET: { rule: z.string().min(8, 'must have at least 8 characters').optional() },
  JWT_EXPIRES_IN: { rule: wholeNumber(1, 525600).default(60) },
  ENCRYPTION_SECRET: { rule: z.string().min(1).optional() },
  LEGACY_CRYPTO: {
    rule: z
      .string()
      .transform((value) => value !== '')
      .default(false),
  },
  API_BASE_URL: { rule: httpUrl().optional() },
  PUBLIC_URL: { rule: httpUrl().optional(), aliases: ['JAMBONZ_BASE_URL'] },
  SMTP_URL: {
    rule: z.url({ protocol: /^smtps?$/, error: 'must be smtp://user:password@host:port or smtps://…' }).optional(),
  },
  MAIL_FROM: { rule: z.string().regex(senderPattern, 'must be an email address, or Name <address>').optional() },
  INFLUX_URL: { rule: httpUrl().optional() },
  CLICKHOUSE_URL: { rule: clickHouseUrl().optional() },
  ENABLE_INGEST: { rule: booleanText().default(false) },
  INGEST_PORT: { rule: wholeNumber(0, 65535).optional() },
  INGEST_HOST: { rule: z.string().default('127.0.0.1') },
  INGEST_POINTS_PER_MINUTE: { rule: wholeNumber(0, 1_000_000_000).default(600_000) },
  INGEST_SPANS_PER_MINUTE: { rule: wholeNumber(0, 1_000_000_000).default(1_200_000) },
  INGEST_MEBIBYTES_PER_MINUTE: { rule: wholeNumber(0, 1_000_000).default(1024) },
  CALL_RETENTION_DAYS: { rule: wholeNumber(0, 36_500).default(0) },
  ALERT_RETENTION_DAYS: { rule: wholeNumber(0, 36_500).default(0) },
  HOMER_BASE_URL: { rule: httpUrl().optional(), aliases: ['HOMER_URL'] },
  HOMER_USERNAME: { rule: z.string().min(1).optional() },
  HOMER_PASSWORD: { rule: z.string().min(1).optional() },
  HEP_PORT: { rule: wholeNumber(0, 65535).optional() },
  HEP_HOST: { rule: z.string().default('127.0.0.1') },
  HEP_KEY: { rule: z.string().min(1).optional() },
  HEP_IDLE_SECONDS: { rule: wholeNumber(0, 86_400).default(900) },
  HEP_CONNECTIONS_PER_ADDRESS: { rule: wholeNumber(1, 256).default(64) },
  CAPTURE_RETENTION_DAYS: { rule: wholeNumber(0, 36_500).default(7) },
  JAEGER_URL: { rule: httpUrl().optional(), aliases: ['JAEGER_BASE_URL'] },
  AWS_REGION: {
    rule: z
      .string()
      .regex(/^[a-z]{2,}(-[a-z]+)+-\d+$/, 'must be the name of an AWS region')
      .optional(),
    aliases: ['VITE_APP_AWS_REGION'],
  },
  SYSTEM_LOG_GROUPS: {
    rule: nameList(/^[\w.\-/#]{1,512}$/, 'must be a comma-separated list of log group names').prefault(
      'jambonz-feature_server',
    ),
  },
  TRACE_RETENTION_DAYS: { rule: wholeNumber(0, 36_500).default(0) },
  RECORDING_RETENTION_DAYS: { rule: wholeNumber(0, 36_500).default(0) },
  RECORDING_MAX_BYTES_PER_ACCOUNT: { rule: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(100 * 1024 ** 3) },
  RECORDING_ORIGINS: { rule: originList().prefault('') },
  RECORDING_MAX_STREAMS_PER_KEY: { rule: wholeNumber(0, 1_000_000).default(1000) },
  RECORDING_STREAM_USERNAME: {
    rule: z.string().min(1).optional(),
    aliases: ['JAMBONZ_RECORD_WS_USERNAME', 'JAMBONES_RECORD_WS_USERNAME'],
  },
  RECORDING_STREAM_PASSWORD: {
    rule: z.string().min(1).optional(),
    aliases: ['JAMBONZ_RECORD_WS_PASSWORD', 'JAMBONES_RECORD_WS_PASSWORD'],
  },
  LOG_LEVEL: {
    rule: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
    aliases: ['JAMBONES_LOGLEVEL'],
  },
  TRUST_PROXY: { rule: wholeNumber(0, 32).default(0), aliases: ['JAMBONES_TRUST_PROXY'] },
  MAX_CONNECTIONS: { rule: wholeNumber(1, 1_000_000).default(4000) },
  HEADERS_TIMEOUT: { rule: wholeNumber(1, 3600).default(60) },
  KEEP_ALIVE_TIMEOUT: { rule: wholeNumber(1, 3600).default(72) },
  BODY_TIMEOUT: { rule: wholeNumber(0, 3600).default(60) },
  BODY_MIN_RATE: { rule: wholeNumber(1, 1_000_000).default(256) },
  METRICS_PORT: { rule: wholeNumber(0, 65535).optional() },
  METRICS_HOST: { rule: z.string().default('127.0.0.1') },
  OTEL_EXPORTER_OTLP_ENDPOINT: { rule: httpUrl().optional() },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { rule: httpUrl().optional() },
  OTEL_EXPORTER_OTLP_HEADERS: { rule: nameValueList(isHeaderText).optional() },
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: { rule: nameValueList(isHeaderText).optional() },
  OTEL_EXPORTER_OTLP_TIMEOUT: { rule: wholeNumber(1, 600_000).default(10_000) },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    rule: z.enum(telemetryProtocols, { error: `must be one of ${telemetryProtocols.join(', ')}` }).optional(),
  },
  OTEL_SERVICE_NAME: { rule: z.string().optional() },
  OTEL_RESOURCE_ATTRIBUTES: { rule: nameValueList().optional() },
  OTEL_TRACES_SAMPLER: {
    rule: z.enum(samplers, { error: `must be one of ${samplers.join(', ')}` }).default('parentbased_always_on'),
  },
  OTEL_TRACES_SAMPLER_ARG: { rule: ratio().default(1) },
  OTEL_SDK_DISABLED: { rule: booleanText().default(false) },
  SHUTDOWN_DELAY: { rule: wholeNumber(0, 600).default(0) },
  SHUTDOWN_TIMEOUT: { rule: wholeNumber(1, 3600).default(30) },
  RATE_LIMIT_MAX: { rule: wholeNumber(1, 10_000_000).default(3000), aliases: ['RATE_LIMIT_MAX_PER_WINDOW'] },
  RATE_LIMIT_MINUTES: { rule: wholeNumber(1, 1440).default(5), aliases: ['RATE_LIMIT_WINDOWS_MINS'] },
  DISABLE_RATE_LIMITS: { rule: booleanText().default(false) },
  LOGIN_ATTEMPTS_MAX_RETRIES: { rule: wholeNumber(1, 1000).default(6) },
  LOGIN_ATTEMPTS_TIME: { rule: wholeNumber(1, 86400).default(1800) },
  ENFORCE_PASSWORD_CHANGE: { rule: booleanText().default(false) },
  APPLY_DB_LIMITS: { rule: booleanText().default(false), aliases: ['APPLY_JAMBONZ_DB_LIMITS'] },
  UNUSED_WEBHOOKS_MAX: { rule: wholeNumber(0, 1_000_000).default(100) },
  ADMIN_CARRIER: { rule: booleanText().default(false), aliases: ['JAMBONES_ADMIN_CARRIER', 'VITE_ADMIN_CARRIER'] },
  APP_ENV_PRIVATE_TARGETS: { rule: booleanText().default(false) },
  SPEECH_PRIVATE_TARGETS: { rule: booleanText().default(false) },
  BUCKET_PRIVATE_TARGETS: { rule: booleanText().default(false) },
  MIN_GATEWAY_NETMASK: { rule: wholeNumber(1, 32).optional(), aliases: ['JAMBONZ_MIN_GATEWAY_NETMASK'] },
  ENABLE_HOSTED_SYSTEM: {
    rule: booleanText().default(false),
    aliases: ['VITE_APP_ENABLE_HOSTED_SYSTEM', 'JAMBONES_HOSTING'],
  },
  ENABLE_FORGOT_PASSWORD: { rule: booleanText().optional(), aliases: ['VITE_APP_ENABLE_FORGOT_PASSWORD'] },
  ENABLE_ACCOUNT_LIMITS_ALL: {
    rule: booleanText().default(defaultFeatureFlags.allLimits),
    aliases: ['VITE_APP_ENABLE_ACCOUNT_LIMITS_ALL'],
  },
  DISABLE_CUSTOM_SPEECH: { rule: booleanText().default(false), aliases: ['VITE_DISABLE_CUSTOM_SPEECH'] },
  DISABLE_ADDITIONAL_SPEECH_VENDORS: {
    rule: booleanText().default(false),
    aliases: ['VITE_APP_DISABLE_ADDITIONAL_SPEECH_VENDORS'],
  },
  DISABLE_LCR: { rule: booleanText().default(false), aliases: ['VITE_APP_LCR_DISABLED'] },
  DISABLE_DEFAULT_TRUNK_ROUTING: {
    rule: booleanText().default(false),
    aliases: ['VITE_APP_DISABLE_DEFAULT_TRUNK_ROUTING'],
  },
  DISABLE_TRACING: {
    rule: booleanText().default(false),
    aliases: ['DISABLE_JAEGER_TRACING', 'VITE_APP_JAEGER_TRACING_DISABLED'],
  },
  DISABLE_CALL_RECORDING: { rule: booleanText().default(false), aliases: ['VITE_APP_DISABLE_CALL_RECORDING'] },
  DISABLE_SYSTEM_LOGS: { rule: booleanText().default(false) },
  CONSOLE_NOTICE: { rule: z.string().max(200, 'must have at most 200 characters').optional() },
  ALERT_POLL_SECONDS: {
    rule: wholeNumber(0, 86_400).default(defaultFeatureFlags.alertPollSeconds),
    aliases: ['VITE_APP_ALERT_POLL_INTERVAL'],
  },
  DEFAULT_SERVICE_PROVIDER_SID: {
    rule: z.guid({ error: 'must be a UUID' }).optional(),
    aliases: ['VITE_APP_DEFAULT_SERVICE_PROVIDER_SID'],
  },
  REQUIRE_INVITE_CODE: { rule: booleanText().default(false) },
  TRIAL_DAYS: { rule: wholeNumber(1, 365).default(defaultFeatureFlags.trial.days) },
  TRIAL_CALL_SESSIONS: { rule: wholeNumber(1, 1000).default(defaultFeatureFlags.trial.callSessions) },
  SAMPLE_APPLICATIONS_URL: { rule: httpUrl().optional() },
  GITHUB_CLIENT_ID: { rule: z.string().optional(), aliases: ['VITE_APP_GITHUB_CLIENT_ID'] },
  GITHUB_CLIENT_SECRET: { rule: z.string().optional() },
  GITHUB_AUTHORIZATION_URL: { rule: httpUrl().default(defaultFeatureFlags.githubAuthorizationUrl) },
  GITHUB_TOKEN_URL: { rule: httpUrl().default('https://github.com/login/oauth/access_token') },
  GITHUB_API_URL: { rule: httpUrl().default('https://api.github.com') },
  GOOGLE_CLIENT_ID: { rule: z.string().optional(), aliases: ['VITE_APP_GOOGLE_CLIENT_ID'] },
  GOOGLE_CLIENT_SECRET: { rule: z.string().optional(), aliases: ['GOOGLE_OAUTH_CLIENT_SECRET'] },
  GOOGLE_AUTHORIZATION_URL: { rule: httpUrl().default(defaultFeatureFlags.googleAuthorizationUrl) },
  GOOGLE_TOKEN_URL: { rule: httpUrl().default('https://oauth2.googleapis.com/token') },
  GOOGLE_USERINFO_URL: { rule: httpUrl().default('https://www.googleapis.com/oauth2/v2/userinfo') },
  STRIPE_API_KEY: { rule: z.string().optional() },
  STRIPE_WEBHOOK_SECRET: { rule: z.string().optional() },
  STRIPE_PUBLISHABLE_KEY: { rule: z.string().optional(), aliases: ['VITE_APP_STRIPE_PUBLISHABLE_KEY'] },
  STRIPE_API_URL: { rule: httpUrl().default('https://api.stripe.com'), aliases: ['STRIPE_BASE_URL'] },
  STRIPE_JS_URL: { rule: httpUrl().optional() },
  DNS_MADE_EASY_URL: { rule: httpUrl().default('https://api.dnsmadeeasy.com/V2.0'), aliases: ['DME_BASE_URL'] },
  DNS_MADE_EASY_API_KEY: { rule: z.string().optional(), aliases: ['DME_API_KEY'] },
  DNS_MADE_EASY_API_SECRET: { rule: z.string().optional(), aliases: ['DME_API_SECRET'] },
  TERMS_URL: { rule: httpUrl().optional() },
  PRIVACY_URL: { rule: httpUrl().optional() },
} satisfies Record<string, { rule: z.ZodType; aliases?: string[] }>

/** The validated settings by name. */
export type Settings = {
  [Name in keyof typeof settingDefinitions]: z.output<(typeof settingDefinitions)[Name]['rule']>
}

export type Environment = Record<string, string | undefined>

/** Reads each setting by its name or, if that is not set, by an alias. Throws ConfigError with the name of an invalid variable. */
export const readSettings = (environment: Environment): Settings => {
  const values: Record<string, unknown> = {}
  for (const [name, { rule, aliases = [] }] of Object.entries<{ rule: z.ZodType; aliases?: string[] }>(
    settingDefinitions,
  )) {
    const variable = [name, ...aliases].find(
      (variableName) => environment[variableName] !== undefined && environment[variableName] !== '',
    )
    const result = rule.safeParse(variable === undefined ? undefined : environment[variable])
    if (!result.success)
      throw new ConfigError(`${variable ?? name} ${result.error.issues[0]?.message ?? 'is not valid'}.`)
    values[name] = result.data
  }
  return values as Settings
}
