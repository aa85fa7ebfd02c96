import type { Server, ServerResponse } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp, buildIngest } from './app'
import { compose, type Composed } from './compose'
import { configOf, ConfigError, type Config } from './config/config'
import { classifyDatabaseError } from './db/errors'
import { DatabaseInUse, FolderInUse, lockDatabase, lockFolder } from './db/process-lock'
import { MigrationFailed } from './db/migrate'
import { UnsuitableDatabase } from './db/platform-check'
import { readVersion } from './http/console'
import { openHep } from './ingest/hep-listener'

// Both from src/ and from dist/ the project's folder is two up.
const project = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** An address without its password, to show. */
const shown = (url: string) => url.replace(/\/\/([^:@/]*):.*@/, '//$1:***@')

const listening = (code: string | undefined, { host, port }: Config): string | undefined => {
  switch (code) {
    case 'EADDRINUSE':
      return `${host}:${port} is taken by another program. Stop it, or choose another PORT.`
    case 'EACCES':
      return `${host}:${port} may not be used by this user. Choose a PORT above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST ${host} is no address of this machine.`
    default:
      return undefined
  }
}

/** The first words of an error that has some: a host with several addresses fails with a bundle of errors without any. */
const words = (error: unknown): string => {
  if (error instanceof AggregateError) return words(error.errors[0])
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}

const database = (error: unknown, { database: { url } }: Config): string | undefined => {
  const cause = error instanceof MigrationFailed ? error.cause : error
  const { code = '', path } = cause as NodeJS.ErrnoException
  const name = `The database ${shown(url)}`
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return `${name} is no SQLite database, or a damaged one. Restore it from a backup, or name another with DATABASE_URL.`
  const fault = classifyDatabaseError(cause)
  if (fault?.kind === 'storage' || code === 'SQLITE_CANTOPEN' || path !== undefined)
    return `${name} cannot be written: ${words(cause)}. Free some space, make its folder writable, or choose another with DATA_DIR or DATABASE_URL.`
  // A server that refuses the connection itself says so with a state, before there is any statement of ours.
  const refused = (cause as { sqlState?: string }).sqlState !== undefined
  if ((fault || refused) && !(error instanceof MigrationFailed))
    return `${name} cannot be used: ${words(cause)}. Check DATABASE_URL and that the server runs.`
  return undefined
}

/** A process that was told to stop finishes its requests for SHUTDOWN_TIMEOUT, and then closes its files. */
const lockTimeoutMs = ({ shutdownSeconds }: Config) => (shutdownSeconds + 5) * 1000

const folderInUse = ({ folder }: FolderInUse) =>
  `DATA_DIR ${folder} is used by another Trunkline process. Stop that process first, or give each process a DATA_DIR of its own.`

const databaseInUse = ({ file }: DatabaseInUse) =>
  `The database ${file} is used by another Trunkline process. Stop that process first, give each process a database of its own, ` +
  'or use MySQL or MariaDB, which several processes can share.'

/** What stopped the start, as a sentence that says what to do. */
const explain = (error: unknown, config: Config | undefined): string => {
  if (error instanceof FolderInUse) return folderInUse(error)
  if (error instanceof DatabaseInUse) return databaseInUse(error)
  if (error instanceof ConfigError || error instanceof UnsuitableDatabase || !config) return words(error)
  const { code, syscall } = error as NodeJS.ErrnoException
  const told = syscall === 'listen' || syscall === 'getaddrinfo' ? listening(code, config) : undefined
  return told ?? database(error, config) ?? words(error)
}

/** A password that was invented for a start that then failed is never shown again, so it is shown here. */
const firstPassword = (composed: Composed | undefined) =>
  composed?.password ? `The database is ready: sign in as admin with the password ${composed.password}\n` : ''

const stopped = (error: unknown, config: Config | undefined, composed: Composed | undefined): never => {
  process.stderr.write(`Trunkline could not start. ${explain(error, config)}\n${firstPassword(composed)}`)
  process.exit(1)
}

interface Ports {
  doors: number | undefined
  captures: number | undefined
}

const warningsOf = ({ warnings }: Config, composed: Composed | undefined): string[] => [
  ...warnings,
  ...(composed?.warnings ?? []),
  ...(composed?.published ?? []).map(
    ({ api_key_sid }) => `the API key ${api_key_sid} has a publicly known token. Delete it.`,
  ),
]

const greet = (address: string, config: Config, composed: Composed | undefined, { doors, captures }: Ports) => {
  const lines = ['', `Trunkline is ready at ${address}`]
  if (!composed) lines.push(`In front of the API at ${config.apiBaseUrl}`)
  else lines.push(`Sign in as ${composed.admin}` + (composed.password ? ` with the password ${composed.password}` : ''))
  if (composed?.password) lines.push('This password is shown only now. You will be asked to change it.')
  if (doors !== undefined) lines.push(`Voice servers write to ${config.ingest.host}:${doors}, without a key`)
  if (captures !== undefined && config.hep)
    lines.push(`SIP messages are captured at ${config.hep.host}:${captures}, in HEP over UDP and TCP`)
  for (const warning of warningsOf(config, composed)) lines.push(`Warning: ${warning}`)
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** Closes every connection once the answers under way have ended: one that never asked anything would hold the process. */
const drainOf = (server: Server): (() => void) => {
  let asked = 0
  let draining = false
  const close = () => {
    if (draining && asked === 0) server.closeAllConnections()
  }
  server.on('request', (_, reply: ServerResponse) => {
    asked += 1
    reply.once('close', () => {
      asked -= 1
      close()
    })
  })
  return () => {
    draining = true
    close()
  }
}

/** The doors for voice servers on a port of their own, where one is wanted. */
const openDoors = async (
  config: Config,
  composed: Composed | undefined,
  parts: Omit<Parameters<typeof buildIngest>[0], 'services'>,
) => {
  if (!composed || config.ingest.port === undefined) return undefined
  const app = await buildIngest({ ...parts, services: composed.services })
  const { port, host } = config.ingest
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`INGEST_PORT ${port} at INGEST_HOST ${host} cannot be used (${code}). Choose another.`)
  }
  return { app, drain: drainOf(app.server), port: (app.server.address() as { port: number }).port }
}

/** The door for captured SIP messages, where one is wanted. */
const openCaptures = async ({ hep }: Config, composed: Composed | undefined, log: Parameters<typeof openHep>[2]) => {
  const store = composed?.services.captureStore
  if (!store || !hep) return undefined
  try {
    return await openHep(store, hep, log)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`HEP_PORT ${hep.port} at HEP_HOST ${hep.host} cannot be used (${code}). Choose another.`)
  }
}

/** Takes the data folder and the SQLite file for this process alone. */
const reserve = (config: Config): void => {
  const options = {
    timeoutMs: lockTimeoutMs(config),
    warn: (message: string) => void process.stderr.write(`${message}\n`),
  }
  lockFolder(config.dataDir, options)
  lockDatabase(config.database.url, options)
}

/** Runs the server until it is told to stop. */
const main = async (): Promise<void> => {
  let config: Config | undefined
  let composed: Composed | undefined
  try {
    config = configOf()
    if (!config.apiBaseUrl) reserve(config)
    composed = config.apiBaseUrl ? undefined : await compose(config)
    const parts = {
      config,
      consoleFolder: join(project, 'console', 'dist'),
      version: readVersion(join(project, 'server')),
    }
    const app = await buildApp({ ...parts, ...(composed ? { services: composed.services } : {}) })
    const drain = drainOf(app.server)
    const doors = await openDoors(config, composed, parts)
    const captures = await openCaptures(config, composed, app.log)
    const seconds = config.shutdownSeconds
    const stop = () => {
      // Answers under way are finished; whoever keeps a connection open does not keep the process.
      const forced = setTimeout(() => {
        process.stderr.write(`Stopped with unfinished requests after ${seconds} seconds (SHUTDOWN_TIMEOUT)\n`)
        process.exit(0)
      }, seconds * 1000)
      forced.unref()
      void Promise.all([app.close(), doors?.app.close(), captures?.close()])
        .then(() => composed?.close())
        .then(() => process.exit(0))
      drain()
      doors?.drain()
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    await app.listen({ port: config.port, host: config.host })
    const { port } = app.server.address() as { port: number }
    const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
    greet(`http://${host.includes(':') ? `[${host}]` : host}:${port}`, config, composed, {
      doors: doors?.port,
      captures: captures?.port,
    })
  } catch (error) {
    stopped(error, config, composed)
  }
}

await main()
