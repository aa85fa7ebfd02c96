import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, openSync, closeSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureProgram, findFreePort, host } from '../scripts/tools/daemon.mjs'
import { installMariaDb, prepareTemporaryServer } from '../scripts/tools/mariadb.mjs'
import { nginxProgram, writeNginxConfig } from '../scripts/tools/nginx.mjs'
import { buildRedisArgs, redisProgram } from '../scripts/tools/redis.mjs'

const canConnect = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: 1000 })
    const finish = (isConnected: boolean) => {
      socket.destroy()
      resolve(isConnected)
    }
    socket.once('connect', () => finish(true))
    socket.once('error', () => finish(false))
    socket.once('timeout', () => finish(false))
  })

/** A program that a proof stops, hangs and starts again, with a folder of its own. */
export class Service {
  private child: ChildProcess | undefined
  private exited: Promise<unknown> = Promise.resolve()
  private readonly terminate = () => {
    // It may hang.
    this.child?.kill('SIGCONT')
    this.child?.kill('SIGTERM')
  }

  constructor(
    readonly folder: string,
    readonly port: number,
    private readonly program: string,
    private readonly args: string[],
  ) {}

  /** Starts it, and waits until it accepts connections. `args` are added to its arguments this time. */
  async start(args: readonly string[] = []): Promise<void> {
    const log = openSync(join(this.folder, 'log'), 'a')
    const child = spawn(this.program, [...this.args, ...args], { stdio: ['ignore', log, log] })
    closeSync(log)
    this.child = child
    this.exited = new Promise((resolve) => child.once('exit', resolve))
    process.once('exit', this.terminate)
    for (let attempt = 0; attempt < 600 && child.exitCode === null; attempt += 1) {
      if (await canConnect(this.port)) return
      await sleep(100)
    }
    const lastLines = readFileSync(join(this.folder, 'log'), 'utf8').trim().split('\n').slice(-5).join('\n')
    throw new Error(`${this.program} did not start:\n${lastLines}`)
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal)
  }

  /** Ends it with a signal. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    process.off('exit', this.terminate)
    this.child?.kill(signal)
    await this.exited
  }

  /** Ends it and deletes its folder. SIGKILL would leave the child processes of nginx running. */
  async dispose(): Promise<void> {
    this.child?.kill('SIGCONT')
    await this.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

export const createFolder = () => mkdtempSync(join(tmpdir(), 'trunkline-prove-'))

/** A MariaDB server with an empty database. */
export interface MariaDbService {
  service: Service
  /** The value for DATABASE_URL. */
  url: string
}

/** Starts a MariaDB of the proof's own. Undefined if it cannot be installed. */
export const startMariaDb = async (): Promise<MariaDbService | undefined> => {
  await installMariaDb()
  const folder = createFolder()
  const port = await findFreePort()
  const command = await prepareTemporaryServer(folder, port)
  if (!command) return undefined
  const service = new Service(folder, port, command.program, command.args)
  await service.start()
  return { service, url: `mysql://root@${host}:${port}` }
}

/** Starts a Redis of the proof's own. Undefined if it cannot be installed. */
export const startRedis = async (): Promise<Service | undefined> => {
  const program = await ensureProgram(redisProgram)
  if (!program) return undefined
  const folder = createFolder()
  const port = await findFreePort()
  const service = new Service(folder, port, program, buildRedisArgs(folder, port))
  await service.start()
  return service
}

interface Upstream {
  port: number
  isDown: boolean
}

/** An nginx that distributes requests. */
export interface LoadBalancer {
  service: Service
  url: string
  /** Takes servers out of the rotation and back. Requests in progress continue. */
  setServers: (servers: readonly Upstream[]) => void
  /** The last errors in its log. */
  readErrors: () => string
}

/** Starts an nginx of the proof's own. Undefined if it cannot be installed. */
export const startLoadBalancer = async (servers: readonly Upstream[]): Promise<LoadBalancer | undefined> => {
  const program = await ensureProgram(nginxProgram)
  if (!program) return undefined
  const folder = createFolder()
  const port = await findFreePort()
  const service = new Service(folder, port, program, ['-c', writeNginxConfig(folder, port, servers)])
  await service.start()
  return {
    service,
    url: `http://${host}:${port}`,
    readErrors: () => readFileSync(join(folder, 'error.log'), 'utf8').trim().split('\n').slice(-10).join('\n  '),
    setServers: (newServers) => {
      writeNginxConfig(folder, port, newServers)
      service.signal('SIGHUP')
    },
  }
}
