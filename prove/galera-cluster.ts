import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureProgram, findFreePort, host } from '../scripts/tools/daemon.mjs'
import { galeraLibrary, haproxyProgram, installGalera, writeHaproxyConfig } from '../scripts/tools/galera.mjs'
import { prepareTemporaryServer } from '../scripts/tools/mariadb.mjs'
import { Service } from './services'

/** Resolves the driver from the server workspace, which depends on it. */
const requireDriver = createRequire(new URL('../server/package.json', import.meta.url))

const clusterSize = 3

/** Whether clients write to one node at a time, or to all. */
export type Routing = 'one node' | 'all nodes'

interface Ports {
  client: number
  group: number
  stateTransfer: number
  incrementalTransfer: number
}

const findPorts = async (): Promise<Ports> => ({
  client: await findFreePort(),
  group: await findFreePort(),
  stateTransfer: await findFreePort(),
  incrementalTransfer: await findFreePort(),
})

const buildNodeArgs = (index: number, ports: Ports, groupPorts: readonly number[]): string[] => [
  '--wsrep-on=ON',
  `--wsrep-provider=${galeraLibrary}`,
  '--wsrep-cluster-name=trunkline-prove',
  `--wsrep-node-name=node-${index}`,
  `--wsrep-node-address=${host}:${ports.group}`,
  `--wsrep-cluster-address=gcomm://${groupPorts.map((port) => `${host}:${port}`).join(',')}`,
  '--wsrep-sst-method=rsync',
  `--wsrep-sst-receive-address=${host}:${ports.stateTransfer}`,
  // A node that receives a transaction late waits before it answers a read.
  '--wsrep-sync-wait=15',
  `--wsrep-provider-options=${[
    `gmcast.listen_addr=tcp://${host}:${ports.group}`,
    `ist.recv_addr=${host}:${ports.incrementalTransfer}`,
    'gcache.size=32M',
    // Without a node that no longer responds, the others continue after two seconds.
    'evs.keepalive_period=PT0.5S',
    'evs.suspect_timeout=PT2S',
    'evs.inactive_timeout=PT4S',
  ].join(';')}`,
  '--binlog-format=ROW',
  '--innodb-autoinc-lock-mode=2',
  '--innodb-buffer-pool-size=64M',
]

/**
 * Lets the node run as the user of the package if root starts it: rsync refuses to write to the folders of root. Returns its
 * arguments.
 */
const takeUser = (folder: string, args: readonly string[]): string[] => {
  if (process.getuid?.() !== 0) return [...args]
  execFileSync('chown', ['-R', 'mysql:mysql', folder])
  return args.map((arg) => (arg.startsWith('--user=') ? '--user=mysql' : arg))
}

/** Reads a status variable, such as wsrep_local_state. Undefined if the node does not respond. */
const readStatus = async (port: number, name: string): Promise<string | undefined> => {
  const mysql = requireDriver('mysql2/promise') as typeof import('mysql2/promise')
  try {
    const connection = await mysql.createConnection({ host, port, user: 'root', connectTimeout: 2000 })
    try {
      const [rows] = await connection.query(`show global status like '${name}'`)
      return (rows as { Value: string }[])[0]?.Value
    } finally {
      connection.destroy()
    }
  } catch {
    return undefined
  }
}

/** A cluster of MariaDB nodes that replicate synchronously, with a load balancer in front. */
export class GaleraCluster {
  private constructor(
    readonly nodes: readonly Service[],
    private readonly loadBalancer: Service,
  ) {}

  /** The port of the load balancer. */
  get port(): number {
    return this.loadBalancer.port
  }

  /** Installs and starts the cluster. Undefined if it cannot be installed. */
  static async start(routing: Routing): Promise<GaleraCluster | undefined> {
    const [hasGalera, haproxy] = [await installGalera(), await ensureProgram(haproxyProgram)]
    if (!hasGalera || !haproxy) return undefined
    const ports: Ports[] = []
    for (let index = 0; index < clusterSize; index += 1) ports.push(await findPorts())
    const groupPorts = ports.map(({ group }) => group)
    const nodes: Service[] = []
    for (const [index, nodePorts] of ports.entries()) {
      const folder = mkdtempSync(join(tmpdir(), 'trunkline-prove-'))
      const command = await prepareTemporaryServer(folder, nodePorts.client)
      if (!command) return undefined
      const args = [...takeUser(folder, command.args), ...buildNodeArgs(index, nodePorts, groupPorts)]
      const node = new Service(folder, nodePorts.client, command.program, args)
      nodes.push(node)
      await node.start(index === 0 ? ['--wsrep-new-cluster'] : [])
      await GaleraCluster.waitUntilSynced(node)
    }
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-prove-'))
    const port = await findFreePort()
    const config = join(folder, 'haproxy.cfg')
    writeFileSync(
      config,
      writeHaproxyConfig(
        port,
        ports.map(({ client }) => client),
        routing === 'one node',
      ),
    )
    const loadBalancer = new Service(folder, port, haproxy, ['-db', '-f', config])
    await loadBalancer.start()
    return new GaleraCluster(nodes, loadBalancer)
  }

  /** Waits until a node has all transactions of the others. */
  static async waitUntilSynced(node: Service): Promise<void> {
    for (let attempt = 0; attempt < 600; attempt += 1) {
      if ((await readStatus(node.port, 'wsrep_local_state_comment')) === 'Synced') return
      await sleep(100)
    }
    throw new Error('a node of the cluster was not synchronized within 60 s')
  }

  /** How many transactions the cluster has refused because they conflicted with others. */
  async countConflicts(): Promise<number> {
    let total = 0
    for (const { port } of this.nodes)
      for (const name of ['wsrep_local_cert_failures', 'wsrep_local_bf_aborts'])
        total += Number((await readStatus(port, name)) ?? 0)
    return total
  }

  async dispose(): Promise<void> {
    await this.loadBalancer.dispose()
    // Without a majority, a node waits for the others before it stops.
    for (const node of this.nodes) await node.stop('SIGKILL')
    for (const { folder } of this.nodes) rmSync(folder, { recursive: true, force: true })
  }
}
