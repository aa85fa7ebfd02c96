import { readFileSync } from 'node:fs'
import { ConfigError, type Config } from '../config/config'
import { openDatabase, type Database } from '../db/database'
import { migrate } from '../db/migrate'
import { findChangedSecrets } from '../db/secret-fingerprints'
import { seed } from '../db/seed'
import { findAdminName, findPublishedTokens, seedAdmin } from '../db/seed-admin'
import { startBackfill } from '../jobs/backfill'
import { startPruning } from '../jobs/pruning'
import { connectExternalServices } from './external-services'
import { createServices, type Services } from './services'

export interface Composition {
  services: Services
  /** The username of an administrator. */
  adminName: string
  /** The generated password of the first administrator, only on the start that created the user. */
  generatedPassword?: string
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

/** The stores from which a background job deletes old records. */
const prunableStores = ({ callHistory, traceStore, captureStore, webhooks }: Services) =>
  [callHistory, traceStore, captureStore, webhooks].filter((store) => store !== undefined)

/**
 * Opens, migrates and seeds the database, and creates the services and background jobs. `logError` receives the errors that
 * belong to no request.
 */
export const compose = async (config: Config, logError: (message: string) => void): Promise<Composition> => {
  const database = openConfiguredDatabase(config)
  const externalServices = await connectExternalServices(config)
  let stopPruning = () => Promise.resolve()
  let stopRecordingJob = () => Promise.resolve()
  let stopBackfill = () => Promise.resolve()
  let services: Services | undefined
  const close = async () => {
    await Promise.all([stopPruning(), stopRecordingJob(), stopBackfill()])
    await services?.recordingStore.close()
    externalServices.mail?.close()
    await externalServices.cache.close()
    externalServices.livePlatform?.close()
    await database.close()
  }
  try {
    const { platformOrigin } = await migrate(database.db)
    if (platformOrigin === 'created') await seed(database.db)
    const { password } = await seedAdmin(database.db, config.initialAdmin)
    services = createServices({ database, config, logError, externalServices })
    // This is also a test write: a read-only database should fail the start, not the first sign-in.
    await services.sessions.deleteExpired()
    const createFailureLogger = (message: string) => (error: unknown) => {
      logError(`${message}: ${error instanceof Error ? error.message : String(error)}`)
    }
    stopPruning = startPruning(prunableStores(services), createFailureLogger('Old records could not be deleted'))
    // In its own job, because it also retries uploads, which can take long.
    stopRecordingJob = startPruning(
      [services.recordingStore],
      createFailureLogger('Recordings could not be uploaded or deleted'),
    )
    stopBackfill = startBackfill(
      services.callHistory,
      createFailureLogger('The search index of older calls could not be completed'),
    )
    return {
      services,
      adminName: await findAdminName(database.db),
      ...(password ? { generatedPassword: password } : {}),
      publishedKeys: await findPublishedTokens(database.db),
      warnings: await findChangedSecrets(database, {
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
