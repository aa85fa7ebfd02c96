import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildApp } from './app'
import { compose, type Composed } from './compose'
import { configOf, ConfigError, type Config } from './config'
import { databaseFault } from './db/errors'
import { MigrationFailed } from './db/migrate'
import { UnsuitableDatabase } from './db/suitability'
import { versionIn } from './http/console'

// Both from src/ and from dist/ the project's folder is two up.
const project = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/** An address without its password, to show. */
const shown = (url: string) => url.replace(/\/\/([^:@/]*):[^@]*@/, '//$1:***@')

/** What stopped the start, as a sentence that says what to do. */
const explain = (error: unknown, config: Config | undefined): string => {
  if (error instanceof ConfigError || error instanceof UnsuitableDatabase || error instanceof MigrationFailed) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  const at = config ? `${config.host}:${config.port}` : ''
  if (code === 'EADDRINUSE') return `${at} is taken by another program. Stop it, or choose another PORT.`
  if (code === 'EACCES' && config) return `${at} may not be used by this user. Choose a PORT above 1023.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${config?.host} is no address of this machine.`
  const database = config ? shown(config.database.url) : ''
  const fault = databaseFault(error)
  if (fault?.kind === 'storage')
    return `The database ${database} cannot be written: ${message}. Free some space or make its folder writable.`
  if (fault) return `The database ${database} cannot be used: ${message}. Check DATABASE_URL and that the server runs.`
  return message
}

const stopped = (error: unknown, config?: Config): never => {
  process.stderr.write(`Trunkline could not start. ${explain(error, config)}\n`)
  process.exit(1)
}

const greet = (address: string, config: Config, composed: Composed | undefined) => {
  const lines = ['', `Trunkline is ready at ${address}`]
  if (!composed) lines.push(`In front of the API at ${config.apiBaseUrl}`)
  else lines.push('Sign in as admin' + (composed.password ? ` with the password ${composed.password}` : ''))
  if (composed?.password) lines.push('This password is shown only now. You will be asked to change it.')
  for (const { api_key_sid } of composed?.published ?? [])
    lines.push(`Warning: the API key ${api_key_sid} has a publicly known token. Delete it.`)
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

/** Runs the server until it is told to stop. */
const main = async (): Promise<void> => {
  let config: Config | undefined
  try {
    config = configOf()
    const composed = config.apiBaseUrl ? undefined : await compose(config)
    const app = await buildApp({
      config,
      ...(composed ? { services: composed.services } : {}),
      consoleFolder: join(project, 'console', 'dist'),
      version: versionIn(join(project, 'server')),
    })
    const stop = () => {
      // Answers under way are finished; whoever keeps a connection open does not keep the process.
      const forced = setTimeout(() => process.exit(0), 5000)
      forced.unref()
      void app
        .close()
        .then(() => composed?.close())
        .then(() => process.exit(0))
    }
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    await app.listen({ port: config.port, host: config.host })
    const { port } = app.server.address() as { port: number }
    const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host
    greet(`http://${host.includes(':') ? `[${host}]` : host}:${port}`, config, composed)
  } catch (error) {
    stopped(error, config)
  }
}

await main()
