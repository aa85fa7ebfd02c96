import type { Config } from '../config/config'
import type { DatabaseOptions } from '../db/database'
import { migrate } from '../db/migrate'
import { findVersionProblem } from '../db/platform-check'
import { findChangedSecrets } from '../db/secret-fingerprints'
import { seed } from '../db/seed'
import { findAdminName, findPublishedTokens, seedAdmin } from '../db/seed-admin'
import { startBillingJobs } from '../jobs/billing'
import { startBackfill } from '../jobs/backfill'
import { startPruning } from '../jobs/pruning'
import { startRepeating } from '../jobs/repeat'
import { startTrials } from '../jobs/trials'
import { createTrials } from '../resources/plans/public'
import { findSetupProblem } from '../resources/registration/public'
import type { TaskObserver } from '../jobs/repeat'
import type { Metrics } from '../metrics/metrics'
import type { Telemetry } from '../telemetry/telemetry'
import { openConfiguredDatabase } from './configured-database'
import { connectExternalServices } from './external-services'
import { addServiceReadings } from './metric-readings'
import { createServices, type Services } from './services'

const dnsRemovalIntervalMs = 600_000

export interface Composition {
  services: Services
  /** The username of an administrator. */
  adminName: string
  /** The generated password of the first administrator, only on the start that created the user. */
  generatedPassword?: string
  /** API keys with publicly known tokens. */
  publishedKeys: { api_key_sid: string }[]
  /** Finds warnings for the operator that need the database. */
  findWarnings: () => Promise<string[]>
  close(): Promise<void>
}

/** Warnings about the platform's version, the secrets and the hosted edition. */
const listWarnings = async (services: Services, { secrets }: Config): Promise<string[]> => {
  const setupProblem = await findSetupProblem(services)
  const secretWarnings = await findChangedSecrets(services.store.database, {
    JWT_SECRET: secrets.jwt,
    ENCRYPTION_SECRET: secrets.encryption,
  })
  const versionProblem = await findVersionProblem(services.store.database.db)
  return [
    ...(versionProblem ? [`${versionProblem.message} ${versionProblem.repair}`] : []),
    ...secretWarnings,
    ...(setupProblem ? [setupProblem] : []),
  ]
}

/** What observes the work of the server. */
export interface Observers {
  /** Receives the errors that belong to no request. */
  logError: (message: string) => void
  /** Absent if metrics are off. */
  metrics?: Metrics | undefined
  /** Absent if no spans are recorded. */
  telemetry?: Telemetry | undefined
}

/** Logs and counts the failures of a background job, and records its tasks. */
const createTaskObserver = (
  job: string,
  message: string,
  { logError, metrics, telemetry }: Observers,
): TaskObserver => ({
  onFailure: (error) => {
    metrics?.countJobFailure(job)
    logError(`${message}: ${error instanceof Error ? error.message : String(error)}`)
  },
  async runTask(task) {
    const startMs = performance.now()
    let hasFailed = true
    try {
      await (telemetry ? telemetry.runTask(job, task) : task())
      hasFailed = false
    } finally {
      metrics?.observeTask(job, performance.now() - startMs, hasFailed)
    }
  },
})

/** Returns what receives each statement of the database, or nothing. */
const createStatementObserver = ({ metrics, telemetry }: Observers): DatabaseOptions['onStatement'] => {
  if (!metrics && !telemetry) return undefined
  return (statement) => {
    metrics?.observeStatement(statement.durationMs, 'error' in statement)
    telemetry?.observeStatement(statement)
  }
}

/** The stores from which a background job deletes old records. */
const prunableStores = ({ callHistory, traceStore, captureStore, webhooks }: Services) =>
  [callHistory, traceStore, captureStore, webhooks].filter((store) => store !== undefined)

/** Opens, migrates and seeds the database, and creates the services and background jobs. */
export const compose = async (config: Config, observers: Observers): Promise<Composition> => {
  const { logError, metrics } = observers
  const database = openConfiguredDatabase(config, { onStatement: createStatementObserver(observers) })
  const externalServices = await connectExternalServices(config)
  let stopPruning = () => Promise.resolve()
  let stopRecordingJob = () => Promise.resolve()
  let stopBackfill = () => Promise.resolve()
  let stopTrials = () => Promise.resolve()
  let stopDnsRemovals = () => Promise.resolve()
  let stopBilling = () => Promise.resolve()
  let services: Services | undefined
  const close = async () => {
    await Promise.all([
      stopPruning(),
      stopRecordingJob(),
      stopBackfill(),
      stopBilling(),
      stopTrials(),
      stopDnsRemovals(),
    ])
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
    if (metrics) addServiceReadings(metrics, services)
    const observeJob = (job: string, message: string) => createTaskObserver(job, message, observers)
    stopPruning = startPruning(prunableStores(services), observeJob('pruning', 'Old records could not be deleted'))
    const { recordingStore } = services
    // In its own job, because retrying uploads can take long.
    stopRecordingJob = startPruning(
      [{ prune: (signal) => recordingStore.retryAndPrune(signal) }],
      observeJob('recordings', 'Recordings could not be uploaded or deleted'),
    )
    stopBackfill = startBackfill(
      services.callHistory,
      observeJob('search_index', 'The call history could not be prepared'),
    )
    if (config.hostedEdition)
      stopTrials = startTrials(
        createTrials(services, { publicUrl: config.publicUrl, canUpgrade: services.billing !== undefined }),
        observeJob('trials', 'Trials could not be ended or announced'),
      )
    const { dnsRemovals, billing } = services
    if (services.dns)
      stopDnsRemovals = startRepeating([(signal) => dnsRemovals.removeDue({ signal })], {
        intervalMs: dnsRemovalIntervalMs,
        ...observeJob('dns', 'DNS records could not be deleted'),
      })
    if (billing)
      stopBilling = startBillingJobs(
        billing,
        observeJob('billing', 'Subscriptions could not be compared with the payment provider'),
      )
    const createdServices = services
    return {
      services,
      adminName: await findAdminName(database.db),
      ...(password ? { generatedPassword: password } : {}),
      publishedKeys: await findPublishedTokens(database.db),
      findWarnings: () => listWarnings(createdServices, config),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
