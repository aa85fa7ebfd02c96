import './stack-traces'
import type { Server, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp } from './composition/app'
import { compose, type Composition, type Observers } from './composition/compose'
import type { buildIngestApp } from './composition/ingest-app'
import { addCaptureReadings, addTelemetryReadings } from './composition/metric-readings'
import { readConfig, ConfigError, type Config } from './config/config'
import { errorTextOf, explainDatabaseError } from './db/explain-error'
import { DatabaseInUseError, FolderInUseError, lockDatabase, lockFolder, type ReleaseLock } from './db/process-lock'
import { UnsuitableDatabaseError } from './db/platform-check'
import { readVersion } from './http/console'
import { openHepListener } from './ingest/hep-listener'
import { openTelemetry, type Telemetry } from './telemetry/telemetry'
import { createMetrics, listenForMetrics, type Metrics } from './metrics/metrics'

// Two levels up, both from src/ and from dist/.
const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** Writes to standard error, before the app has a log. Errors of requests go to the log of the app. */
const logError = (message: string): void => void process.stderr.write(`${message}\n`)

const explainListenError = (code: string | undefined, { host, port }: Config): string | undefined => {
  switch (code) {
    case 'EADDRINUSE':
      return `${host}:${port} is in use by another program. Stop it, or choose another PORT.`
    case 'EACCES':
      return `${host}:${port} needs more privileges than this user has. Choose a PORT above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is not an address of this machine.`
    default:
      return undefined
  }
}

/** A stopping process may take SHUTDOWN_TIMEOUT for its requests before it releases its files. */
const getLockTimeoutMs = ({ shutdownSeconds }: Config) => (shutdownSeconds + 5) * 1000

const explainFolderInUse = ({ folder }: FolderInUseError) =>
  `DATA_DIR ${folder} is used by another Trunkline process. Stop that process first, or give each process its own DATA_DIR.`

const explainDatabaseInUse = ({ file }: DatabaseInUseError) =>
  `The database ${file} is used by another Trunkline process. Stop that process first, give each process its own database, ` +
  'or use MySQL or MariaDB, which several processes can share.'

/** Explains a failed start to the operator, with the remedy. */
const explainStartError = (error: unknown, config: Config | undefined): string => {
  if (error instanceof FolderInUseError) return explainFolderInUse(error)
  if (error instanceof DatabaseInUseError) return explainDatabaseInUse(error)
  if (error instanceof ConfigError || error instanceof UnsuitableDatabaseError || !config) return errorTextOf(error)
  return explainDatabaseError(error, config.database.url) ?? errorTextOf(error)
}

/**
 * If this start created the database, the generated password of the administrator. It is shown only once, so a start that
 * fails later has to show it too.
 */
const formatPasswordNotice = (composition: Composition | undefined) =>
  composition?.generatedPassword
    ? `The database is ready: sign in as admin with the password ${composition.generatedPassword}\n`
    : ''

const exitWithError = (error: unknown, config: Config | undefined, composition: Composition | undefined): never => {
  process.stderr.write(
    `Trunkline could not start. ${explainStartError(error, config)}\n${formatPasswordNotice(composition)}`,
  )
  process.exit(1)
}

interface IngestListenerPorts {
  ingestPort: number | undefined
  hepPort: number | undefined
}

const listWarnings = (config: Config, composition: Composition | undefined, warnings: readonly string[]): string[] => [
  ...config.warnings,
  ...warnings,
  ...(composition?.publishedKeys ?? []).map(
    ({ api_key_sid }) => `the API key ${api_key_sid} has a publicly known token. Delete it.`,
  ),
]

const printReady = (
  address: string,
  config: Config,
  composition: Composition | undefined,
  warnings: readonly string[],
  { ingestPort, hepPort }: IngestListenerPorts,
) => {
  const lines = ['', `Trunkline is ready at ${address}`]
  if (!composition) lines.push(`Console for the API at ${config.apiBaseUrl}`)
  else
    lines.push(
      `Sign in as ${composition.adminName}` +
        (composition.generatedPassword ? ` with the password ${composition.generatedPassword}` : ''),
    )
  // The console of the hosted edition does not ask for a new password.
  if (composition?.generatedPassword)
    lines.push(
      `This password is shown only now. ${config.hostedEdition ? 'Change it under “Your profile and password”.' : 'You will be asked to change it.'}`,
    )
  if (ingestPort !== undefined)
    lines.push(`Receives data from voice servers at ${config.ingest.host}:${ingestPort}; no API key needed`)
  if (hepPort !== undefined && config.hep)
    lines.push(`Receives captured SIP messages (HEP over UDP and TCP) at ${config.hep.host}:${hepPort}`)
  for (const warning of listWarnings(config, composition, warnings)) lines.push(`Warning: ${warning}`)
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/**
 * Returns a function that starts to drain the server: it closes all connections once the running requests have ended. Idle
 * connections would keep the process alive.
 */
const createDrain = (server: Server): (() => void) => {
  let openRequests = 0
  let isDraining = false
  const closeIfDrained = () => {
    if (isDraining && openRequests === 0) server.closeAllConnections()
  }
  server.on('request', (_, response: ServerResponse) => {
    openRequests += 1
    response.once('close', () => {
      openRequests -= 1
      closeIfDrained()
    })
  })
  return () => {
    isDraining = true
    closeIfDrained()
  }
}

/** The warnings that need the database. */
const findWarnings = async (composition: Composition | undefined): Promise<string[]> =>
  composition ? composition.findWarnings() : []

/** Builds the app of the main port. */
const buildMainApp = (appOptions: Omit<Parameters<typeof buildApp>[0], 'services'>, composition?: Composition) =>
  buildApp({ ...appOptions, ...(composition ? { services: composition.services } : {}) })

/** Listens on the main port. Explains failures here, because the database driver reports an unknown host with the same code. */
const listen = async (app: Awaited<ReturnType<typeof buildApp>>, config: Config): Promise<void> => {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    const message = explainListenError((error as NodeJS.ErrnoException).code, config)
    throw message ? new ConfigError(message) : error
  }
}

/** Listens for ingest on a private port, if one is configured. */
const listenForIngest = async (
  config: Config,
  composition: Composition | undefined,
  appOptions: Omit<Parameters<typeof buildIngestApp>[0], 'services'>,
) => {
  if (!composition || config.ingest.port === undefined) return undefined
  const ingestApp = await import('./composition/ingest-app')
  const app = await ingestApp.buildIngestApp({ ...appOptions, services: composition.services })
  const { port, host } = config.ingest
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`INGEST_PORT ${port} at INGEST_HOST ${host} cannot be used (${code}). Choose another one.`)
  }
  return { app, drain: createDrain(app.server), port: (app.server.address() as { port: number }).port }
}

/** Listens for captured SIP messages (HEP), if a port is configured. */
const listenForHep = async (
  { hep }: Config,
  composition: Composition | undefined,
  log: Parameters<typeof openHepListener>[2],
  metrics: Metrics | undefined,
) => {
  const store = composition?.services.captureStore
  if (!store || !hep) return undefined
  try {
    const listener = await openHepListener(store, hep, log, metrics?.countDroppedCaptures)
    if (metrics) addCaptureReadings(metrics, listener)
    return listener
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`HEP_PORT ${hep.port} at HEP_HOST ${hep.host} cannot be used (${code}). Choose another one.`)
  }
}

const createConfiguredMetrics = ({ metrics }: Config, version: string) => (metrics ? createMetrics(version) : undefined)

/** Starts to record spans, if a collector is configured. */
const openConfiguredTelemetry = async (
  { telemetry: target }: Config,
  version: string,
  metrics: Metrics | undefined,
): Promise<Telemetry | undefined> => {
  if (!target) return undefined
  const telemetry = await openTelemetry({ ...target, version, warn: logError })
  if (metrics) addTelemetryReadings(metrics, telemetry)
  return telemetry
}

/** Listens for Prometheus, if a port is configured. */
const openMetricsPort = async ({ metrics: address }: Config, metrics: Metrics | undefined) => {
  if (!address || !metrics) return undefined
  const { port, host } = address
  try {
    return await listenForMetrics(metrics, port, host)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`METRICS_PORT ${port} at METRICS_HOST ${host} cannot be used (${code}). Choose another one.`)
  }
}

/** Locks the data folder and the SQLite file. Returns a function that releases the file. */
const lockData = (config: Config): ReleaseLock => {
  const options = {
    timeoutMs: getLockTimeoutMs(config),
    warn: logError,
  }
  lockFolder(config.dataDir, options)
  return lockDatabase(config.database.url, options)
}

/** Locks the data, and composes the server. Leaves no lock file beside the database of another program. */
const lockAndCompose = async (config: Config, observers: Observers): Promise<Composition> => {
  const releaseDatabase = lockData(config)
  try {
    return await compose(config, observers)
  } catch (error) {
    if (error instanceof UnsuitableDatabaseError) releaseDatabase({ removeFile: true })
    throw error
  }
}

/** Exits after the servers are closed. Running requests may finish, but no connection may keep the process alive. */
const exitAfter = (closeServers: () => Promise<void>, timeoutSeconds: number): void => {
  const exitTimer = setTimeout(() => {
    process.stderr.write(`Stopped with unfinished requests after SHUTDOWN_TIMEOUT (${timeoutSeconds} seconds)\n`)
    process.exit(0)
  }, timeoutSeconds * 1000)
  exitTimer.unref()
  closeServers().then(
    () => process.exit(0),
    (error: unknown) => {
      process.stderr.write(`The server did not stop cleanly: ${String(error)}\n`)
      process.exit(1)
    },
  )
}

/** Runs the server until SIGTERM or SIGINT. */
const main = async (): Promise<void> => {
  let config: Config | undefined
  let composition: Composition | undefined
  let isStopping = false
  let isDraining = false
  try {
    config = readConfig()
    const { shutdownSeconds, shutdownDelaySeconds } = config
    const version = readVersion(join(projectFolder, 'server'))
    const metrics = createConfiguredMetrics(config, version)
    const telemetry = await openConfiguredTelemetry(config, version, metrics)
    composition = config.apiBaseUrl ? undefined : await lockAndCompose(config, { logError, metrics, telemetry })
    const appOptions = {
      config,
      consoleFolder: join(projectFolder, 'console', 'dist'),
      version,
      metrics,
      telemetry,
      isDraining: () => isDraining,
    }
    // Concurrently, because warnings wait for hashes of the secrets, which other threads compute.
    const [warnings, app] = await Promise.all([findWarnings(composition), buildMainApp(appOptions, composition)])
    const drain = createDrain(app.server)
    const ingestListener = await listenForIngest(config, composition, appOptions)
    const hepListener = await listenForHep(config, composition, app.log, metrics)
    const metricsServer = await openMetricsPort(config, metrics)
    const listenPromise = listen(app, config)
    const closeServers = async () => {
      // Fastify fails if it is closed while it looks up the addresses of HOST.
      await listenPromise.catch(() => undefined)
      metricsServer?.close()
      const closePromise = Promise.all([app.close(), ingestListener?.app.close(), hepListener?.close()])
      drain()
      ingestListener?.drain()
      await closePromise
      await composition?.close()
      await telemetry?.close()
    }
    const shutDown = () => {
      isStopping = true
      // From now on, a second signal ends the process.
      process.off('SIGINT', startDraining)
      process.off('SIGTERM', startDraining)
      exitAfter(closeServers, shutdownSeconds)
    }
    const startDraining = () => {
      if (shutdownDelaySeconds === 0) return shutDown()
      if (!isDraining) setTimeout(shutDown, shutdownDelaySeconds * 1000)
      isDraining = true
    }
    process.on('SIGINT', startDraining)
    process.on('SIGTERM', startDraining)
    await listenPromise
    if (isStopping) return void process.stdout.write(formatPasswordNotice(composition))
    const { port } = app.server.address() as { port: number }
    const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
    printReady(`http://${host.includes(':') ? `[${host}]` : host}:${port}`, config, composition, warnings, {
      ingestPort: ingestListener?.port,
      hepPort: hepListener?.port,
    })
  } catch (error) {
    if (isStopping) process.stdout.write(formatPasswordNotice(composition))
    else exitWithError(error, config, composition)
  }
}

await main()
