import { setTimeout as sleep } from 'node:timers/promises'
import { runSql } from '../scripts/launch/database'
import { startServer } from '../scripts/launch/server'
import { createClient, type SendRequest } from './client'
import { GaleraCluster, type Routing } from './galera-cluster'
import { createLoadFixture, Load } from './load'
import type { ProofResult } from './proof'
import type { Random } from './random'

/** Clients that change the same record at the same time, so that transactions on different nodes conflict. */
const writersOfOneRecord = 4

interface Scene {
  cluster: GaleraCluster
  load: Load
  sendRequest: SendRequest
  admin: string
  failures: string[]
  recoveryTimesMs: number[]
  /** Whether a node is away, and requests may get a 503. */
  isInterrupted: boolean
  sharedWrites: number
}

/** Changes one account again and again until `isFinished`. Each change must succeed unless a node is away. */
const writeSharedRecord = async (scene: Scene, writer: number, isFinished: () => boolean) => {
  while (!isFinished() && scene.failures.length < 50) {
    const wasInterrupted = scene.isInterrupted
    const body = { name: `shared by ${writer}, ${scene.sharedWrites}` }
    const { status, text } = await scene.sendRequest(scene.admin, 'PUT', `/v1/Accounts/${scene.load.account}`, body)
    if (status < 300) scene.sharedWrites += 1
    else if (status !== 503 || !(wasInterrupted || scene.isInterrupted))
      scene.failures.push(`PUT of the shared account: ${status} ${text.slice(0, 200)}`)
    if (status >= 300) await sleep(50)
  }
}

/** Waits until the load writes again. */
const waitForWrites = async ({ load, failures, recoveryTimesMs }: Scene, label: string) => {
  const startMs = performance.now()
  const { acknowledged } = load.counts
  while (load.counts.acknowledged < acknowledged + 3) {
    if (performance.now() - startMs > 60_000) {
      failures.push(`${label}: no write succeeded within 60 s`)
      return
    }
    await sleep(50)
  }
  recoveryTimesMs.push(performance.now() - startMs)
}

/** Kills a node under load, starts it again, and checks that nothing acknowledged is lost. */
const runRound = async (scene: Scene, round: number, random: Random) => {
  const { cluster, load } = scene
  const node = cluster.nodes[round % cluster.nodes.length]!
  const label = `round ${round + 1}`
  let isFinished = false
  load.start()
  const writers = Array.from({ length: writersOfOneRecord }, (_, writer) =>
    writeSharedRecord(scene, writer, () => isFinished),
  )
  await sleep(1500 + random.integer(1000))
  scene.isInterrupted = true
  await node.stop('SIGKILL')
  await waitForWrites(scene, `${label}, node away`)
  await node.start()
  await GaleraCluster.waitUntilSynced(node)
  await waitForWrites(scene, `${label}, node back`)
  // The load balancer closes connections once more when it notices that the node is back.
  await sleep(2000)
  scene.isInterrupted = false
  await sleep(1000)
  isFinished = true
  await Promise.all([load.stop(), ...writers])
  await load.checkStoredWrites()
}

const proveRouting = async (routing: Routing, random: Random, rounds: number): Promise<ProofResult> => {
  const cluster = await GaleraCluster.start(routing)
  if (!cluster)
    return { failures: [], figures: '', skipped: 'because MariaDB, Galera, rsync or HAProxy cannot be installed.' }
  try {
    const url = `mysql://root@127.0.0.1:${cluster.port}`
    await runSql({ url }, 'create database trunkline')
    const server = await startServer({
      DATABASE_URL: `${url}/trunkline`,
      DISABLE_RATE_LIMITS: 'true',
      LOG_LEVEL: 'silent',
    })
    const client = createClient(server.url)
    try {
      const isInterrupted = () => scene.isInterrupted
      const load = new Load(client.send, await createLoadFixture(server.url, server.apiKey), {
        mayBeUnavailable: isInterrupted,
        mayLoseResponse: () => false,
      })
      const scene: Scene = {
        ...{ cluster, load, sendRequest: client.send, admin: server.apiKey },
        ...{ failures: [], recoveryTimesMs: [], isInterrupted: false, sharedWrites: 0 },
      }
      for (let round = 0; round < rounds; round += 1) await runRound(scene, round, random)
      const { requests, acknowledged, unavailable } = load.counts
      return {
        failures: [...scene.failures, ...load.problems].map((failure) => `${routing}: ${failure}`),
        figures:
          `${routing}: ${rounds} kills, ${requests} requests, ${acknowledged + scene.sharedWrites} acknowledged writes, ` +
          `${await cluster.countConflicts()} conflicts, ${unavailable} responses with 503, ` +
          `writes again within ${(Math.max(...scene.recoveryTimesMs) / 1000).toFixed(1)} s`,
      }
    } finally {
      client.close()
      await server.dispose()
    }
  } finally {
    await cluster.dispose()
  }
}

/**
 * Kills the nodes of a Galera cluster in turn while clients write: once with a load balancer that sends all clients to one
 * node, and once with one that distributes them.
 */
export const proveGalera = async (random: Random, rounds: number): Promise<ProofResult> => {
  const oneNode = await proveRouting('one node', random, rounds)
  if (oneNode.skipped) return oneNode
  const allNodes = await proveRouting('all nodes', random, rounds)
  return {
    failures: [...oneNode.failures, ...allNodes.failures],
    figures: `${oneNode.figures}; ${allNodes.figures}`,
  }
}
