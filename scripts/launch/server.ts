import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDatabase, type Kept } from './database'

const bundle = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))

export interface TestServer {
  /** The base URL, without a trailing slash. */
  url: string
  /** An administrator's API key. */
  apiKey: string
  /** The location of its database, for direct changes. */
  kept: Kept
  /** Everything it printed since the first start. */
  output(): string
  /** The password that the first start printed. */
  printedPassword(): string
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Kills it, like a power failure. */
  kill(): Promise<void>
  /** Starts it again with the same port, data and settings. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  dispose(): Promise<void>
}

/** Returns a port that is currently free. */
export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const end = async (child: ChildProcess | undefined, signal: NodeJS.Signals) => {
  if (!child || ended(child)) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await gone
}

/** Waits until the health check of the server succeeds. */
export const awaitHealth = async (url: string, child: ChildProcess, output: () => string) => {
  const patience = Date.now() + 60_000
  while (Date.now() < patience) {
    if (ended(child)) throw new Error(`The server ended while it started:\n${output()}`)
    const well = await fetch(`${url}/healthz`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (well) return
    await sleep(50)
  }
  throw new Error(`The server did not answer on ${url}/healthz:\n${output()}`)
}

/**
 * Starts the built server on a free port with its own data folder; `dispose` removes both.
 * @param settings further environment variables
 */
export const startServer = async (settings: Record<string, string> = {}): Promise<TestServer> => {
  if (!existsSync(bundle)) throw new Error("There is no built server. Run 'npm run build' first.")
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-e2e-'))
  const database = await makeDatabase()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const apiKey = randomUUID()
  let printed = ''
  let child: ChildProcess | undefined

  const start = async () => {
    const started = spawn(process.execPath, ['--enable-source-maps', bundle], {
      // A minimal environment, so that a developer's settings for the real server do not affect the tests.
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        INITIAL_ADMIN_API_KEY: apiKey,
        ...(database ? { DATABASE_URL: database.url } : {}),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    started.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    started.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    await awaitHealth(url, started, () => printed)
  }
  const dispose = async () => {
    await end(child, 'SIGTERM')
    rmSync(dataDir, { recursive: true, force: true })
    await database?.drop()
  }

  try {
    await start()
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    url,
    apiKey,
    kept: database ? { url: database.url } : { file: join(dataDir, 'trunkline.sqlite') },
    output: () => printed,
    printedPassword: () => {
      const found = /password:?\s+(\S+)/i.exec(printed)?.[1]
      if (!found) throw new Error(`No password was printed:\n${printed}`)
      return found
    },
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    start,
    dispose,
  }
}
