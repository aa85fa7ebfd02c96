import { setTimeout as sleep } from 'node:timers/promises'
import { runSql } from '../scripts/launch/database'
import { startMailbox, type Mailbox } from '../scripts/launch/mailbox'
import { startServer, type TestServer } from '../scripts/launch/server'
import { createClient } from './client'
import { createLoadFixture, Load } from './load'
import type { ProofResult } from './proof'
import type { Random } from './random'
import { checkRemindersSentOnce, addEndingTrials } from './replica-jobs'
import { checkSharedSessions } from './replica-sessions'
import { startLoadBalancer, startMariaDb, startRedis, type LoadBalancer } from './services'

const replicaCount = 3
/** Long enough for the load balancer to notice, which checks `/readyz` every healthCheckMs. */
const shutdownDelaySeconds = 2
const healthCheckMs = 200

const portOf = (url: string) => Number(new URL(url).port)

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    ({ status }) => status === 200,
    () => false,
  )

/** Takes replicas that are not ready out of the rotation, as an orchestrator does. Returns a function that stops it. */
const startHealthChecks = (replicas: readonly TestServer[], { setServers }: LoadBalancer): (() => Promise<void>) => {
  let isStopped = false
  let lastState = ''
  const check = async () => {
    const servers = await Promise.all(
      replicas.map(async ({ url }) => ({ port: portOf(url), isDown: !(await isReady(url)) })),
    )
    const state = JSON.stringify(servers)
    // nginx needs at least one server.
    if (state !== lastState && servers.some(({ isDown }) => !isDown)) setServers(servers)
    lastState = state
  }
  const running = (async () => {
    while (!isStopped) {
      await check()
      await sleep(healthCheckMs)
    }
  })()
  return async () => {
    isStopped = true
    await running
  }
}

interface Scene {
  replicas: TestServer[]
  load: Load
  failures: string[]
  setMayLose: (mayLoseResponse: boolean) => void
}

/** Waits until clients have written through the load balancer again. */
const waitForWrites = async ({ load, failures }: Scene, label: string): Promise<void> => {
  const { acknowledged } = load.counts
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (load.counts.acknowledged > acknowledged + 20) return
    await sleep(100)
  }
  failures.push(`${label}: no writes within 30 s`)
}

/** Kills one replica, and restarts another one gracefully, while clients write. */
const runRound = async (scene: Scene, random: Random, label: string): Promise<void> => {
  const { replicas, load } = scene
  load.start()
  await sleep(200 + random.integer(500))
  const killedIndex = random.integer(replicaCount - 1)
  const killed = replicas[killedIndex]
  const restarted = replicas[(killedIndex + 1 + random.integer(1)) % replicaCount]
  scene.setMayLose(true)
  await killed?.kill()
  await waitForWrites(scene, `${label}, after kill -9`)
  await killed?.start()
  await sleep(healthCheckMs * 3)
  scene.setMayLose(false)
  await restarted?.stop()
  await restarted?.start()
  await waitForWrites(scene, `${label}, after the graceful restart`)
  await load.stop()
  await load.checkStoredWrites()
}

interface Setting {
  databaseUrl: string
  redisUrl: string | undefined
  mailbox: Mailbox
}

/** Starts the replicas at the same time on a database in which trials end soon. */
const startReplicas = async ({ databaseUrl, redisUrl, mailbox }: Setting) => {
  const settings = {
    DATABASE_URL: databaseUrl,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    JWT_SECRET: 'the secret that all replicas share',
    ENCRYPTION_SECRET: 'another secret that all replicas share',
    SHUTDOWN_DELAY: String(shutdownDelaySeconds),
    DISABLE_RATE_LIMITS: 'true',
    LOG_LEVEL: 'silent',
    ENABLE_HOSTED_SYSTEM: 'true',
    TERMS_URL: 'https://example.com/terms',
    PRIVACY_URL: 'https://example.com/privacy',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'support@example.com',
  }
  const first = await startServer(settings)
  const replicas = [first]
  try {
    const addresses = await addEndingTrials(first, databaseUrl)
    await first.kill()
    const results = await Promise.allSettled([
      first.start(),
      ...Array.from({ length: replicaCount - 1 }, async () => replicas.push(await startServer(settings))),
    ])
    const failure = results.find((result) => result.status === 'rejected')
    if (failure) throw failure.reason
    return { replicas, addresses }
  } catch (error) {
    await Promise.all(replicas.map((replica) => replica.dispose()))
    throw error
  }
}

const runScene = async (setting: Setting, random: Random, rounds: number, variant: string) => {
  const failures: string[] = []
  const { replicas, addresses } = await startReplicas(setting)
  let balancer: LoadBalancer | undefined
  let stopHealthChecks: (() => Promise<void>) | undefined
  try {
    failures.push(...(await checkRemindersSentOnce(setting.mailbox, addresses)))
    const admin = replicas[0]?.apiKey ?? ''
    const urls = replicas.map(({ url }) => url)
    failures.push(...(await checkSharedSessions(urls, admin)))
    balancer = await startLoadBalancer(urls.map((url) => ({ port: portOf(url), isDown: false })))
    if (!balancer) return undefined
    stopHealthChecks = startHealthChecks(replicas, balancer)
    // nginx closes idle connections when its configuration changes, so each request has its own.
    const client = createClient(balancer.url, { keepAlive: false })
    let mayLoseResponse = false
    const load = new Load(client.send, await createLoadFixture(balancer.url, admin), {
      mayBeUnavailable: () => false,
      mayLoseResponse: () => mayLoseResponse,
    })
    const setMayLose = (mayLose: boolean) => (mayLoseResponse = mayLose)
    const scene: Scene = { replicas, load, failures, setMayLose }
    for (let round = 1; round <= rounds && load.problems.length < 50; round += 1)
      await runRound(scene, random, `${variant}, round ${round}`)
    for (const replica of replicas) {
      const direct = createClient(replica.url)
      await load.checkStoredWrites(direct.send)
      direct.close()
    }
    client.close()
    if (load.problems.length > 0) failures.push(balancer.readErrors())
    return { counts: load.counts, failures: [...failures, ...load.problems] }
  } finally {
    await stopHealthChecks?.()
    await balancer?.service.dispose()
    await Promise.all(replicas.map((replica) => replica.dispose()))
  }
}

/**
 * Runs three replicas behind nginx on one MariaDB, with and without Redis. Replicas are killed and restarted while clients
 * write through nginx.
 */
export const proveReplicas = async (random: Random, rounds: number): Promise<ProofResult> => {
  const database = await startMariaDb()
  const redis = await startRedis()
  const mailbox = await startMailbox()
  const failures: string[] = []
  const figures: string[] = []
  const skipped = 'because MariaDB, Redis or nginx is not installed and cannot be installed.'
  try {
    if (!database || !redis) return { failures, figures: '', skipped }
    for (const variant of ['with Redis', 'without Redis']) {
      const name = variant.replace(' ', '_')
      await runSql({ url: database.url }, `create database ${name}`)
      const redisUrl = variant === 'with Redis' ? `redis://127.0.0.1:${redis.port}` : undefined
      const setting = { databaseUrl: `${database.url}/${name}`, redisUrl, mailbox }
      const result = await runScene(setting, random, rounds, variant)
      if (!result) return { failures, figures: '', skipped }
      const { requests, acknowledged, withoutResponse } = result.counts
      failures.push(...result.failures)
      figures.push(
        `${variant}: ${rounds} kills and ${rounds} graceful restarts, ${requests} requests, ` +
          `${acknowledged} acknowledged writes, ${withoutResponse} requests in flight at a kill had no response`,
      )
    }
    return { failures, figures: figures.join('; ') }
  } finally {
    await mailbox.close()
    await redis?.dispose()
    await database?.service.dispose()
  }
}
