import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureProgram, findFreePort, host } from '../scripts/tools/daemon.mjs'
import { buildRedisArgs, redisProgram } from '../scripts/tools/redis.mjs'
import { createFolder, Service } from './services'

const masterName = 'proof'
const sentinelCount = 3
const quorum = 2
/** How long a Redis may be silent before a sentinel takes it for dead. */
const downAfterMs = 1000

/** Sends a command without arguments that need quotes. Returns the raw response. */
const sendCommand = (port: number, command: string) =>
  new Promise<string>((resolve) => {
    const socket = connect({ host, port, timeout: 2000 }, () => socket.end(`${command}\r\n`))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    socket.once('error', () => resolve(''))
    socket.once('timeout', () => socket.destroy())
    socket.once('close', () => resolve(text))
  })

/** Two Redis servers, one of them a replica, and the sentinels that choose the master. */
export class RedisSentinels {
  private constructor(
    private readonly servers: readonly Service[],
    private readonly sentinels: readonly Service[],
  ) {}

  /** Starts all of them. Undefined if Redis cannot be installed. */
  static async start(): Promise<RedisSentinels | undefined> {
    const program = await ensureProgram(redisProgram)
    if (!program) return undefined
    const createServer = async (...args: string[]) => {
      const [folder, port] = [createFolder(), await findFreePort()]
      const server = new Service(folder, port, program, [...buildRedisArgs(folder, port), ...args])
      await server.start()
      return server
    }
    const first = await createServer()
    const second = await createServer('--replicaof', host, String(first.port))
    const sentinels: Service[] = []
    for (let number = 0; number < sentinelCount; number += 1) {
      const [folder, port] = [createFolder(), await findFreePort()]
      const configFile = join(folder, 'sentinel.conf')
      writeFileSync(
        configFile,
        [
          `bind ${host}`,
          `port ${port}`,
          `dir ${folder}`,
          `sentinel monitor ${masterName} ${host} ${first.port} ${quorum}`,
          `sentinel down-after-milliseconds ${masterName} ${downAfterMs}`,
          `sentinel failover-timeout ${masterName} 5000`,
          '',
        ].join('\n'),
      )
      const sentinel = new Service(folder, port, program, [configFile, '--sentinel'])
      await sentinel.start()
      sentinels.push(sentinel)
    }
    const group = new RedisSentinels([first, second], sentinels)
    await group.waitUntilComplete()
    return group
  }

  /** The settings of a server that uses this Redis. */
  get settings(): Record<string, string> {
    return {
      JAMBONES_REDIS_SENTINELS: this.sentinels.map(({ port }) => `${host}:${port}`).join(),
      JAMBONES_REDIS_SENTINEL_MASTER_NAME: masterName,
    }
  }

  private get firstSentinel(): Service {
    return this.sentinels[0]!
  }

  /** The server that the sentinels name as the master. */
  async findMaster(): Promise<Service | undefined> {
    const address = await sendCommand(this.firstSentinel.port, `SENTINEL GET-MASTER-ADDR-BY-NAME ${masterName}`)
    return this.servers.find(({ port }) => address.includes(`\r\n${port}\r\n`))
  }

  /** Waits until the master has its replica again, and all sentinels know each other. A failover needs both. */
  async waitUntilComplete(): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      const { port } = this.firstSentinel
      const replicas = await sendCommand(port, `SENTINEL REPLICAS ${masterName}`)
      const peers = await sendCommand(port, `SENTINEL SENTINELS ${masterName}`)
      const isLinked =
        /master-link-status\r\n\$\d+\r\nok\r\n/.test(replicas) && !/flags\r\n\$\d+\r\n[^\r]*down/.test(replicas)
      if (isLinked && peers.startsWith(`*${sentinelCount - 1}\r\n`)) return
      await sleep(100)
    }
    throw new Error('The replica of Redis did not connect to its master within a minute.')
  }

  async dispose(): Promise<void> {
    for (const service of [...this.sentinels, ...this.servers]) await service.dispose()
  }
}
