import { join, resolve } from 'node:path'
import { defaultFeatureFlags, type FeatureFlags } from '@trunkline/contract/feature-flags'
import { ConfigError, ensureDatabaseFolder, ensureFolder, readOrCreateSecret, readSecretIfPresent } from './files'
import { listConfigWarnings } from './warnings'
import { defaultDeviceToCallRatio, optionalHostedEdition, type HostedEdition } from './hosted-edition'
import { readPlatformRedis, type RedisTarget } from './redis'
import { optionalTelemetry, type TelemetryTarget } from './telemetry'
import { readSettings, wholeNumber, type Environment, type Settings } from './settings'

export { ConfigError } from './files'

/** The configuration of the server. */
export interface Config {
  port: number
  host: string
  dataDir: string
  database: { url: string; connections: number; timeoutSeconds: number; caFile?: string }
  /** The platform's Redis: live state and TTS cache. Absent if the platform is not connected. */
  redis?: RedisTarget
  /**
   * The feature servers, which handle calls: the name of their cluster in Redis, or one URL for all of them (`featureServerUrl`).
   * `apiVersion` is the version of their API.
   */
  platform: { clusterId: string; featureServerUrl?: string; apiVersion: string }
  initialAdmin: { password?: string; apiKey?: string }
  /** `legacyCrypto` selects the older cipher, AES-256-CTR, for databases that were written with it. */
  secrets: { jwt: string; encryption: string; legacyCrypto: boolean }
  /** The lifetime of a session. */
  tokenMinutes: number
  /** If set, the server serves only the console, for the API at this URL. */
  apiBaseUrl?: string
  /** The URL of the console, for links in e-mails. Without a slash at the end. */
  publicUrl: string
  /** If absent, no mail is sent. */
  mail?: { url: string; from: string }
  /** The InfluxDB with calls and alerts. Without it and ClickHouse, our own tables hold them. */
  influxUrl?: string
  /** The ClickHouse with calls and alerts. Not together with `influxUrl`. */
  clickHouseUrl?: string
  /** Retention periods in days; 0: forever. */
  retention: { calls: number; alerts: number; traces: number; captures: number; recordings: number }
  /** Ingest from voice servers: with API keys on the main port (`acceptsApiKeys`), and without keys on a private port. */
  ingest: { acceptsApiKeys: boolean; port?: number; host: string }
  /** Limits per tenant and minute for ingest with API keys; 0: no limit. Points are call records and alerts. */
  ingestQuotas: { points: number; spans: number; bytes: number }
  /** 0: no limit. */
  recordingLimits: { bytesPerAccount: number; streamsPerKey: number }
  /** The credential of the platform's servers for streaming recordings. If absent, the private port needs none. */
  recordingStreamCredentials?: { username: string; password: string }
  /** The Homer server with captured SIP messages. If absent, our own tables hold what arrives over HEP. */
  homer?: { url: string; username: string; password: string }
  /** Receives captured SIP messages. Senders need the key, if there is one. */
  hep?: { port: number; host: string; key?: string; limits: { maxPerAddress: number; idleSeconds: number } }
  /** Absent if the hosted edition is disabled, or if another API server provides it. */
  hostedEdition?: HostedEdition
  /** The Jaeger server with traces. If absent, our own tables hold them. */
  jaegerUrl?: string
  /** The AWS region with the logs of the platform's servers; absent if unavailable. */
  awsRegion?: string
  /** Warnings to print at the start. */
  warnings: string[]
  logLevel: Settings['LOG_LEVEL']
  /** Limits of the HTTP connections per port. */
  connections: ReturnType<typeof readConnectionLimits>
  /** The address at which Prometheus reads metrics. Absent if metrics are off. */
  metrics?: { port: number; host: string }
  /** The collector that receives spans of this server. Absent if none are recorded. */
  telemetry?: TelemetryTarget
  /** How long running requests may take to finish after SIGTERM or SIGINT. */
  shutdownSeconds: number
  /** How long `/readyz` fails after SIGTERM or SIGINT before the server stops to accept requests. */
  shutdownDelaySeconds: number
  /** How many proxies to trust X-Forwarded-For from. */
  trustProxy: number
  /** Requests per credential and time window; null: no limit. */
  rateLimit: { max: number; minutes: number } | null
  /** After this number of wrong passwords, a client network cannot sign in as the user for `seconds`. */
  lockout: { attempts: number; seconds: number }
  /** Whether users who must change their password can do nothing else until then. */
  enforcePasswordChange: boolean
  /** Whether accounts are limited in how many records they may create. */
  enforceQuotas: boolean
  /** The limit of unused webhooks per account or provider; 0: no limit. */
  maxUnusedWebhooks: number
  /** Whether only administrators and providers may change carriers and phone numbers. */
  adminCarrier: boolean
  /** The smallest netmask that a gateway may have. */
  minimumNetmask?: number
  /** Whether the server may request environment variables from webhooks in private networks. */
  appEnvPrivateTargets: boolean
  /** Whether the server may send requests to speech servers that customers run in private networks. */
  speechPrivateTargets: boolean
  /** Whether buckets may be in private networks. */
  bucketPrivateTargets: boolean
  features: FeatureFlags
}

/** Builds the database URL from the separate variables of an existing installation. */
const buildMysqlUrl = (environment: Environment): string | undefined => {
  const host = environment.JAMBONES_MYSQL_HOST
  if (!host) return undefined
  const user = environment.JAMBONES_MYSQL_USER
  const database = environment.JAMBONES_MYSQL_DATABASE
  if (!user) throw new ConfigError('JAMBONES_MYSQL_USER is required together with JAMBONES_MYSQL_HOST.')
  if (!database) throw new ConfigError('JAMBONES_MYSQL_DATABASE is required together with JAMBONES_MYSQL_HOST.')
  const password = encodeURIComponent(environment.JAMBONES_MYSQL_PASSWORD ?? '')
  const port = environment.JAMBONES_MYSQL_PORT || '3306'
  if (!wholeNumber(1, 65535).safeParse(port).success)
    throw new ConfigError('JAMBONES_MYSQL_PORT must be a whole number from 1 to 65535.')
  return `mysql://${encodeURIComponent(user)}:${password}@${host}:${port}/${encodeURIComponent(database)}`
}

/** An existing installation has only a variable for the host. Its clients always use port 8086. */
const resolveInfluxUrl = (settings: Settings, environment: Environment): string | undefined => {
  if (settings.INFLUX_URL && settings.CLICKHOUSE_URL)
    throw new ConfigError('Set either INFLUX_URL or CLICKHOUSE_URL: calls and alerts are stored in one of them.')
  if (settings.INFLUX_URL || settings.CLICKHOUSE_URL) return settings.INFLUX_URL
  const host = environment.JAMBONES_TIME_SERIES_HOST
  if (!host) return undefined
  const url = `http://${host.includes(':') && !host.includes('.') ? `[${host}]` : host}:8086`
  if (!URL.canParse(url)) throw new ConfigError('JAMBONES_TIME_SERIES_HOST must be a host name or an IP address.')
  return url
}

const readIngestConfig = ({ ENABLE_INGEST: acceptsApiKeys, INGEST_HOST: host, INGEST_PORT: port }: Settings) => ({
  acceptsApiKeys,
  host,
  ...(port === undefined ? {} : { port }),
})

const readConnectionLimits = (settings: Settings) => ({
  max: settings.MAX_CONNECTIONS,
  headersSeconds: settings.HEADERS_TIMEOUT,
  keepAliveSeconds: settings.KEEP_ALIVE_TIMEOUT,
  bodySeconds: settings.BODY_TIMEOUT,
  bodyBytesPerSecond: settings.BODY_MIN_RATE,
})

/** The `optional…` functions return a part of the configuration, or nothing if its settings are absent. */
const optionalInflux = (url: string | undefined) => (url ? { influxUrl: url } : {})

const optionalClickHouse = ({ CLICKHOUSE_URL: url }: Settings) => (url ? { clickHouseUrl: url } : {})

const optionalRedis = (redis: RedisTarget | undefined) => (redis ? { redis } : {})

/** In Kubernetes one service URL reaches all feature servers. */
const readPlatform = (settings: Settings, environment: Environment) => {
  const { CLUSTER_ID: clusterId, FEATURE_SERVER_URL: url, FEATURE_SERVER_API_VERSION: apiVersion } = settings
  const { K8S, K8S_FEATURE_SERVER_SERVICE_NAME: name, K8S_FEATURE_SERVER_SERVICE_PORT: port } = environment
  const featureServerUrl = url ?? (K8S && name ? `http://${name}:${port || 3000}` : undefined)
  return { clusterId, apiVersion, ...(featureServerUrl ? { featureServerUrl } : {}) }
}

const readSecrets = (settings: Settings, folder: string, readSecret: typeof readOrCreateSecret) => {
  if (settings.API_BASE_URL) return { jwt: '', encryption: '', legacyCrypto: false }
  return {
    jwt: settings.JWT_SECRET ?? readSecret(folder, 'jwt-secret'),
    // An installation with only JWT_SECRET has encrypted its columns with that secret.
    encryption: settings.ENCRYPTION_SECRET ?? settings.JWT_SECRET ?? readSecret(folder, 'encryption-secret'),
    legacyCrypto: settings.LEGACY_CRYPTO,
  }
}

const optionalMail = ({ SMTP_URL: url, MAIL_FROM: from }: Settings) => {
  if (!url) return {}
  if (!from) throw new ConfigError('MAIL_FROM is required together with SMTP_URL.')
  return { mail: { url, from } }
}

const optionalHomer = ({ HOMER_BASE_URL: url, HOMER_USERNAME: username, HOMER_PASSWORD: password }: Settings) => {
  if (!url) return {}
  if (!username || !password)
    throw new ConfigError('HOMER_USERNAME and HOMER_PASSWORD are required together with HOMER_BASE_URL.')
  return { homer: { url: url.replace(/\/+$/, ''), username, password } }
}

const optionalHep = (settings: Settings) => {
  const { HEP_PORT: port, HEP_HOST: host, HEP_KEY: key, HOMER_BASE_URL: homer } = settings
  if (port === undefined) return {}
  if (homer)
    throw new ConfigError('HEP_PORT and HOMER_BASE_URL cannot be used together: with Homer, send captures to Homer.')
  const limits = { maxPerAddress: settings.HEP_CONNECTIONS_PER_ADDRESS, idleSeconds: settings.HEP_IDLE_SECONDS }
  return { hep: { port, host, ...(key ? { key } : {}), limits } }
}

const optionalMetrics = ({ METRICS_PORT: port, METRICS_HOST: host }: Settings) =>
  port === undefined ? {} : { metrics: { port, host } }

const optionalJaeger = ({ JAEGER_URL: url }: Settings) => (url ? { jaegerUrl: url.replace(/\/+$/, '') } : {})

/** The region of the system logs. AWS machines often set AWS_REGION by themselves, so there is a setting to disable the logs. */
const readLogRegion = ({ AWS_REGION: region, DISABLE_SYSTEM_LOGS: isDisabled }: Settings) =>
  isDisabled ? undefined : region

const optionalAwsRegion = (region: string | undefined) => (region ? { awsRegion: region } : {})

const optionalRecordingStreamCredentials = ({
  RECORDING_STREAM_USERNAME: username,
  RECORDING_STREAM_PASSWORD: password,
}: Settings) => {
  if (!username && !password) return {}
  if (!username || !password)
    throw new ConfigError('RECORDING_STREAM_USERNAME and RECORDING_STREAM_PASSWORD are required together.')
  return { recordingStreamCredentials: { username, password } }
}

/** Never derived from a request: an attacker could put a URL into an e-mail with a forged Host header. */
const readPublicUrl = ({ PUBLIC_URL, HOST, PORT }: Settings): string => {
  if (PUBLIC_URL) return PUBLIC_URL.replace(/\/+$/, '')
  const host = HOST === '0.0.0.0' || HOST === '::' ? 'localhost' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}

/** If the console uses another API, that API sends the mail, and only its operator knows whether it can. */
const isForgotPasswordEnabled = ({ API_BASE_URL, SMTP_URL, ENABLE_FORGOT_PASSWORD: isEnabled }: Settings): boolean =>
  API_BASE_URL ? isEnabled === true : SMTP_URL !== undefined && isEnabled !== false

/** What the console must know about registration and payment. */
const readHostedFeatures = (settings: Settings) => ({
  defaultServiceProviderSid: settings.DEFAULT_SERVICE_PROVIDER_SID ?? null,
  requiresInviteCode: settings.REQUIRE_INVITE_CODE,
  trial: {
    days: settings.TRIAL_DAYS,
    callSessions: settings.TRIAL_CALL_SESSIONS,
    devices: settings.TRIAL_CALL_SESSIONS * defaultDeviceToCallRatio,
  },
  // Stored in the database, which is read when the console requests its settings.
  passwordSettings: null,
  githubClientId: settings.GITHUB_CLIENT_ID ?? null,
  googleClientId: settings.GOOGLE_CLIENT_ID ?? null,
  githubAuthorizationUrl: settings.GITHUB_AUTHORIZATION_URL,
  googleAuthorizationUrl: settings.GOOGLE_AUTHORIZATION_URL,
  // A v1 server ignores the verifier, so that the exchange of the code would fail.
  oauthPkce: settings.ENABLE_HOSTED_SYSTEM && settings.API_BASE_URL === undefined,
  stripePublishableKey: settings.STRIPE_PUBLISHABLE_KEY ?? null,
  stripeJsUrl: settings.STRIPE_JS_URL ?? null,
  termsUrl: settings.TERMS_URL ?? null,
  privacyUrl: settings.PRIVACY_URL ?? null,
})

const readFeatureFlags = (settings: Settings): FeatureFlags => ({
  apiBaseUrl: settings.API_BASE_URL?.replace(/\/+$/, '') ?? defaultFeatureFlags.apiBaseUrl,
  hosted: settings.ENABLE_HOSTED_SYSTEM,
  forgotPassword: isForgotPasswordEnabled(settings),
  customSpeech: !settings.DISABLE_CUSTOM_SPEECH,
  additionalSpeech: !settings.DISABLE_ADDITIONAL_SPEECH_VENDORS,
  leastCostRouting: !settings.DISABLE_LCR,
  tracing: !settings.DISABLE_TRACING,
  callRecording: !settings.DISABLE_CALL_RECORDING,
  recordingOrigins: settings.RECORDING_ORIGINS,
  systemLogGroups: readLogRegion(settings) ? settings.SYSTEM_LOG_GROUPS : [],
  allLimits: settings.ENABLE_ACCOUNT_LIMITS_ALL,
  adminCarrier: settings.ADMIN_CARRIER,
  defaultTrunkRouting: !settings.DISABLE_DEFAULT_TRUNK_ROUTING,
  notice: settings.CONSOLE_NOTICE ?? null,
  alertPollSeconds: settings.ALERT_POLL_SECONDS,
  ...readHostedFeatures(settings),
})

/** Returns the data folder. With another API this server stores nothing, so it needs no folder. */
const prepareFolders = ({ API_BASE_URL, DATA_DIR, DATABASE_URL }: Settings, createsFiles: boolean): string => {
  if (API_BASE_URL || !createsFiles) return resolve(DATA_DIR)
  const folder = ensureFolder('DATA_DIR', DATA_DIR)
  ensureDatabaseFolder(DATABASE_URL)
  return folder
}

/**
 * Reads the settings of a move of calls. It needs the URLs of the old and of the new store, of which a server uses only
 * one. Creates no files.
 */
export const readMoveConfig = (environment: Environment = process.env) => {
  const { INFLUX_URL: influxUrl, CLICKHOUSE_URL: clickHouseUrl, ...serverSettings } = environment
  const settings = readSettings(environment)
  return {
    config: readConfig(serverSettings, { createsFiles: false }),
    influxUrl: influxUrl ? settings.INFLUX_URL : resolveInfluxUrl(readSettings(serverSettings), environment),
    clickHouseUrl: clickHouseUrl ? settings.CLICKHOUSE_URL : undefined,
  }
}

/**
 * Reads and validates the environment; no other code reads it. Throws ConfigError with the name of the setting. Creates
 * missing folders and secrets unless `createsFiles` is false; missing secrets are empty then.
 */
export const readConfig = (environment: Environment = process.env, { createsFiles = true } = {}): Config => {
  const settings = readSettings(environment)
  const folder = prepareFolders(settings, createsFiles)
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: folder,
    database: {
      url: settings.DATABASE_URL ?? buildMysqlUrl(environment) ?? join(folder, 'trunkline.sqlite'),
      connections: settings.DATABASE_CONNECTIONS,
      timeoutSeconds: settings.DATABASE_TIMEOUT_SECONDS,
      ...(settings.DATABASE_CA_FILE ? { caFile: settings.DATABASE_CA_FILE } : {}),
    },
    ...optionalRedis(settings.REDIS_URL ?? readPlatformRedis(environment)),
    platform: readPlatform(settings, environment),
    initialAdmin: { password: settings.INITIAL_ADMIN_PASSWORD, apiKey: settings.INITIAL_ADMIN_API_KEY },
    secrets: readSecrets(settings, folder, createsFiles ? readOrCreateSecret : readSecretIfPresent),
    tokenMinutes: settings.JWT_EXPIRES_IN,
    ...(settings.API_BASE_URL ? { apiBaseUrl: settings.API_BASE_URL } : {}),
    publicUrl: readPublicUrl(settings),
    ...optionalMail(settings),
    ...optionalHomer(settings),
    ...optionalHep(settings),
    ...optionalInflux(resolveInfluxUrl(settings, environment)),
    ...optionalClickHouse(settings),
    ...optionalJaeger(settings),
    ...optionalMetrics(settings),
    ...optionalTelemetry(settings, resolveInfluxUrl(settings, environment)),
    ...optionalAwsRegion(readLogRegion(settings)),
    retention: {
      calls: settings.CALL_RETENTION_DAYS,
      alerts: settings.ALERT_RETENTION_DAYS,
      traces: settings.TRACE_RETENTION_DAYS,
      recordings: settings.RECORDING_RETENTION_DAYS,
      captures: settings.CAPTURE_RETENTION_DAYS,
    },
    ingest: readIngestConfig(settings),
    ingestQuotas: {
      points: settings.INGEST_POINTS_PER_MINUTE,
      spans: settings.INGEST_SPANS_PER_MINUTE,
      bytes: settings.INGEST_MEBIBYTES_PER_MINUTE * 1024 * 1024,
    },
    ...optionalRecordingStreamCredentials(settings),
    recordingLimits: {
      bytesPerAccount: settings.RECORDING_MAX_BYTES_PER_ACCOUNT,
      streamsPerKey: settings.RECORDING_MAX_STREAMS_PER_KEY,
    },
    warnings: listConfigWarnings(settings, readPublicUrl(settings)),
    logLevel: settings.LOG_LEVEL,
    connections: readConnectionLimits(settings),
    shutdownSeconds: settings.SHUTDOWN_TIMEOUT,
    shutdownDelaySeconds: settings.SHUTDOWN_DELAY,
    trustProxy: settings.TRUST_PROXY,
    rateLimit: settings.DISABLE_RATE_LIMITS
      ? null
      : { max: settings.RATE_LIMIT_MAX, minutes: settings.RATE_LIMIT_MINUTES },
    lockout: { attempts: settings.LOGIN_ATTEMPTS_MAX_RETRIES, seconds: settings.LOGIN_ATTEMPTS_TIME },
    enforcePasswordChange: settings.ENFORCE_PASSWORD_CHANGE,
    enforceQuotas: settings.APPLY_DB_LIMITS,
    maxUnusedWebhooks: settings.UNUSED_WEBHOOKS_MAX,
    adminCarrier: settings.ADMIN_CARRIER,
    ...(settings.MIN_GATEWAY_NETMASK === undefined ? {} : { minimumNetmask: settings.MIN_GATEWAY_NETMASK }),
    appEnvPrivateTargets: settings.APP_ENV_PRIVATE_TARGETS,
    speechPrivateTargets: settings.SPEECH_PRIVATE_TARGETS,
    bucketPrivateTargets: settings.BUCKET_PRIVATE_TARGETS,
    features: readFeatureFlags(settings),
    ...optionalHostedEdition(settings),
  }
}
