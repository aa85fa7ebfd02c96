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
export const sentinelsCanBeHad = (): boolean => spawnSync(program, ['--version']).status === 0

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

const end = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const removed = once(child, 'exit')
  child.kill('SIGKILL')
  await removed
}

/**
 * Starts two Redis servers, the second a replica of the first, and a Sentinel that monitors them. All require logins.
 */
export const startSentinels = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-sentinels-'))
  const [first, second, watch] = [await freePort(), await freePort(), await freePort()]
  const login = { username: 'console', password: 'of-redis', sentinelPassword: 'of-sentinels' }
  const fileOf = (port: number) => join(folder, `${port}.conf`)
  const start = (port: number, lines: string[], ...overrides: string[]) => {
    writeFileSync(fileOf(port), [`bind ${host}`, `port ${port}`, `dir ${folder}`, ...lines, ''].join('\n'))
    return spawn(program, [fileOf(port), ...overrides], { stdio: 'ignore' })
  }
  const redis = (port: number, ...lines: string[]) =>
    start(port, [
      ...['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', `dbfilename ${port}.rdb`],
      ...[`requirepass ${login.password}`, `masterauth ${login.password}`],
      ...[`user ${login.username} on >${login.password} ~* +@all`, ...lines],
    ])
  const watching = [
    `requirepass ${login.sentinelPassword}`,
    `sentinel monitor platform ${host} ${first} 1`,
    `sentinel auth-pass platform ${login.password}`,
    'sentinel down-after-milliseconds platform 500',
    'sentinel failover-timeout platform 3000',
  ]
  const running = [redis(first), redis(second, `replicaof ${host} ${first}`), start(watch, watching, '--sentinel')]
  return {
    place: { sentinels: [{ host, port: watch }], master: 'platform', tls: false, ...login },
    ports: { first, second, watch },
    login,
    /** Simulates a power failure: connections stay open without responses. */
    freezeFirst: () => running[0]!.kill('SIGSTOP'),
    stopSentinel: () => end(running[2]!),
    /** Starts it with its state from before the stop, which it has saved in its configuration file. */
    startSentinelAgain: () => void running.push(spawn(program, [fileOf(watch), '--sentinel'], { stdio: 'ignore' })),
    stop: async () => {
      for (const child of running) await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
