import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const host = '127.0.0.1'
const program = 'redis-server'

/**
 * Whether this machine can run Redis Sentinel. A Redis on another machine, which tests may use otherwise, cannot run
 * it.
 */
export const canStartSentinels = (): boolean => spawnSync(program, ['--version']).status === 0

const findFreePort = async (): Promise<number> => {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const killProcess = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}

/**
 * Starts two Redis servers, the second a replica of the first, and a Sentinel that monitors them. All require credentials.
 */
export const startSentinels = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-sentinels-'))
  const [firstPort, secondPort, sentinelPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const credentials = { username: 'console', password: 'of-redis', sentinelPassword: 'of-sentinels' }
  const configFileOf = (port: number) => join(folder, `${port}.conf`)
  const startProgram = (port: number, lines: string[], ...overrides: string[]) => {
    writeFileSync(configFileOf(port), [`bind ${host}`, `port ${port}`, `dir ${folder}`, ...lines, ''].join('\n'))
    return spawn(program, [configFileOf(port), ...overrides], { stdio: 'ignore' })
  }
  const startRedis = (port: number, ...lines: string[]) =>
    startProgram(port, [
      ...['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', `dbfilename ${port}.rdb`],
      ...[`requirepass ${credentials.password}`, `masterauth ${credentials.password}`],
      ...[`user ${credentials.username} on >${credentials.password} ~* +@all`, ...lines],
    ])
  const sentinelConfig = [
    `requirepass ${credentials.sentinelPassword}`,
    `sentinel monitor platform ${host} ${firstPort} 1`,
    `sentinel auth-pass platform ${credentials.password}`,
    'sentinel down-after-milliseconds platform 500',
    'sentinel failover-timeout platform 3000',
  ]
  const processes = [
    startRedis(firstPort),
    startRedis(secondPort, `replicaof ${host} ${firstPort}`),
    startProgram(sentinelPort, sentinelConfig, '--sentinel'),
  ]
  return {
    redisTarget: { sentinels: [{ host, port: sentinelPort }], master: 'platform', tls: false, ...credentials },
    ports: { first: firstPort, second: secondPort, sentinel: sentinelPort },
    credentials,
    /** Simulates a power failure: connections stay open without responses. */
    freezeFirst: () => processes[0]!.kill('SIGSTOP'),
    stopSentinel: () => killProcess(processes[2]!),
    /** Starts the Sentinel with its state from before the stop, which it has saved in its configuration file. */
    restartSentinel: () =>
      void processes.push(spawn(program, [configFileOf(sentinelPort), '--sentinel'], { stdio: 'ignore' })),
    stop: async () => {
      for (const child of processes) await killProcess(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
