import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDatabase, type DatabaseLocation } from './database'

const ownProjectFolder = fileURLToPath(new URL('../..', import.meta.url))

export interface TestServer {
  /** The base URL, without a trailing slash. */
  url: string
  /** An administrator's API key. */
  apiKey: string
  /** The location of its database, for direct changes. */
  database: DatabaseLocation
  /** Its process ID since the last start. */
  pid(): number
  /** Its output since the first start. */
  output(): string
  /** The password that the first start printed. */
  printedPassword(): string
  /** Stops it gracefully. */
  stop(): Promise<void>
  /** Kills it without a clean shutdown, like a power failure. */
  kill(): Promise<void>
  /** Starts it again with the same port, data and settings. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  dispose(): Promise<void>
}

/** Returns a port that is currently free. */
export const findFreePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

const stopProcess = async (child: ChildProcess | undefined, signal: NodeJS.Signals) => {
  if (!child || hasExited(child)) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await exited
}

/** Waits until the health check of the server succeeds. */
export const waitUntilHealthy = async (url: string, child: ChildProcess, output: () => string) => {
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    if (hasExited(child)) throw new Error(`The server exited during its start:\n${output()}`)
    const isHealthy = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isHealthy) return
    await sleep(10)
  }
  throw new Error(`The health check ${url}/healthz did not succeed:\n${output()}`)
}

/** Environment variables of a server. The function is called with the URL that the server will have. */
export type ServerSettings = Record<string, string> | ((url: string) => Promise<Record<string, string>>)

/**
 * Starts the built server on a free port with its own data folder; `dispose` removes both.
 * @param settings further environment variables
 * @param projectFolder another checkout whose build to start
 */
export const startServer = async (
  settings: ServerSettings = {},
  projectFolder = ownProjectFolder,
): Promise<TestServer> => {
  const bundle = join(projectFolder, 'server', 'dist', 'main.js')
  if (!existsSync(bundle)) throw new Error("The server is not built. Run 'npm run build' first.")
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-e2e-'))
  const database = await createDatabase()
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const apiKey = randomUUID()
  const environment = typeof settings === 'function' ? await settings(url) : settings
  let printedOutput = ''
  let child: ChildProcess | undefined

  const start = async () => {
    const serverProcess = spawn(process.execPath, [bundle], {
      // A minimal environment, so that a developer's settings for the real server do not affect the tests.
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        // as in deploy/trunkline
        MALLOC_TRIM_THRESHOLD_: '1048576',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        INITIAL_ADMIN_API_KEY: apiKey,
        ...(database ? { DATABASE_URL: database.url } : {}),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = serverProcess
    serverProcess.stdout.on('data', (chunk: Buffer) => (printedOutput += chunk.toString()))
    serverProcess.stderr.on('data', (chunk: Buffer) => (printedOutput += chunk.toString()))
    await waitUntilHealthy(url, serverProcess, () => printedOutput)
  }
  const dispose = async () => {
    await stopProcess(child, 'SIGTERM')
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
    database: database ? { url: database.url } : { file: join(dataDir, 'trunkline.sqlite') },
    pid: () => {
      if (child?.pid === undefined) throw new Error('The server does not run.')
      return child.pid
    },
    output: () => printedOutput,
    printedPassword: () => {
      const password = /password:?\s+(\S+)/i.exec(printedOutput)?.[1]
      if (!password) throw new Error(`No password was printed:\n${printedOutput}`)
      return password
    },
    stop: () => stopProcess(child, 'SIGTERM'),
    kill: () => stopProcess(child, 'SIGKILL'),
    start,
    dispose,
  }
}
