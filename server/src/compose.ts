import { readFileSync } from 'node:fs'
import { memoryCache } from './adapters/cache/memory'
import { ConfigError, type Config } from './config/config'
import { openDatabase, type Database } from './db/database'
import { migrate } from './db/migrate'
import { secretWarnings } from './db/secret-fingerprints'
import { seed } from './db/seed'
import { adminName, findPublishedTokens, seedAdmin } from './db/seed-admin'
import { startBackfill } from './jobs/backfill'
import { startPruning } from './jobs/pruning'
import { noPlatform } from './ports/live-platform'
import { servicesOf, type ExternalServices, type Services } from './services'

export interface Composition {
  services: Services
  /** The username of an administrator. */
  admin: string
  /** The generated password of the first administrator, only on the start that created the user. */
  password?: string
  /** API keys with publicly known tokens. */
  publishedKeys: { api_key_sid: string }[]
  /** Warnings for the operator that need the database. */
  warnings: string[]
  close(): Promise<void>
}

const readCertificates = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new ConfigError(`DATABASE_CA_FILE ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

const openConfiguredDatabase = ({ database }: Config): Database =>
  openDatabase(database.url, {
    connectionLimit: database.connections,
    timeoutSeconds: database.timeoutSeconds,
    ...(database.caFile ? { tls: { ca: readCertificates(database.caFile) } } : {}),
  })

/** With the URL of a feature server, users can start calls. The live state of calls needs Redis. */
const staticCallServer = ({ callServer }: Config['platform']) =>
  callServer ? { livePlatform: { ...noPlatform, callServers: () => Promise.resolve([callServer]) } } : {}

/** Connects the configured external services. Vendor SDKs are imported only if needed. */
const connectExternalServices = async ({
  redis,
  platform,
  mail,
  influxUrl,
  homer,
  jaegerUrl,
  awsRegion: region,
  features,
}: Config): Promise<ExternalServices> => ({
  cache: redis ? (await import('./adapters/cache/redis')).redisCache(redis) : memoryCache(),
  ...(redis
    ? { livePlatform: (await import('./adapters/live-platform/redis')).redisPlatform({ redis, ...platform }) }
    : staticCallServer(platform)),
  ...(influxUrl
    ? { callHistory: (await import('./adapters/call-history/influx/store')).influxCallHistory(influxUrl) }
    : {}),
  ...(homer ? { captures: (await import('./adapters/captures/homer')).homerCaptures(homer) } : {}),
  ...(jaegerUrl ? { traces: (await import('./adapters/traces/jaeger')).jaegerTraces(jaegerUrl) } : {}),
  ...(region ? { systemLogs: (await import('./adapters/system-logs/cloud-watch')).cloudWatchLogs({ region }) } : {}),
  ...(mail && features.forgotPassword ? { mail: (await import('./adapters/mail/smtp')).smtpMail(mail) } : {}),
})

/** The stores that need pruning. */
const prunableStores = ({ callHistory, traceStore, captureStore, recordingStore, webhooks }: Services) =>
  [callHistory, traceStore, captureStore, recordingStore, webhooks].filter((store) => store !== undefined)

/** Opens, migrates and seeds the database, and creates the services and background jobs. */
export const compose = async (config: Config): Promise<Composition> => {
  const database = openConfiguredDatabase(config)
  const externalServices = await connectExternalServices(config)
  let stopPruning = () => Promise.resolve()
  let stopBackfill = () => Promise.resolve()
  let services: Services | undefined
  const close = async () => {
    await Promise.all([stopPruning(), stopBackfill()])
    await services?.recordingStore.close()
    externalServices.mail?.close()
    await externalServices.cache.close()
    externalServices.livePlatform?.close()
    await database.close()
  }
  try {
    const { origin } = await migrate(database.db)
    if (origin === 'created') await seed(database.db)
    const { password } = await seedAdmin(database.db, config.initialAdmin)
    services = servicesOf(database, config, undefined, externalServices)
    // This is also a test write: a read-only database should fail the start, not the first sign-in.
    await services.sessions.deleteExpired()
    const logFailure = (message: string) => (error: unknown) => {
      process.stderr.write(`${message}: ${error instanceof Error ? error.message : String(error)}\n`)
    }
    stopPruning = startPruning(prunableStores(services), logFailure('Old records could not be deleted'))
    stopBackfill = startBackfill(
      services.callHistory,
      logFailure('The search index of older calls could not be completed'),
    )
    return {
      services,
      admin: await adminName(database.db),
      ...(password ? { password } : {}),
      publishedKeys: await findPublishedTokens(database.db),
      warnings: await secretWarnings(database, {
        JWT_SECRET: config.secrets.jwt,
        ENCRYPTION_SECRET: config.secrets.encryption,
      }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
