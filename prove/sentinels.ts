import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type TestServer } from '../scripts/launch/server'
import { createClient } from './client'
import { withDatabaseAndRedis } from './database-and-redis'
import { send, sendOk } from './http'
import { createLoadFixture, Load } from './load'
import type { ProofResult } from './proof'
import type { Random } from './random'
import { RedisSentinels } from './redis-sentinels'

const password = 'Proof-Pass-2026'
const username = 'sentinel-user'
/** The sentinels need a second to notice a failure, and a few to agree on another master. */
const maxRecoveryMs = 30_000

interface Scene {
  redis: RedisSentinels
  servers: readonly TestServer[]
  /** The key of the first server, which created the database. */
  admin: string
  load: Load
  failures: string[]
  recoveryTimesMs: number[]
  counts: { callRequests: number; unavailable: number; signOuts: number }
}

const addUser = async ({ url, apiKey }: TestServer, account_sid: string) => {
  const { service_provider_sid } = await sendOk<{ service_provider_sid: string }>(
    url,
    apiKey,
    'GET',
    `/v1/Accounts/${account_sid}`,
  )
  await sendOk(url, apiKey, 'POST', '/v1/Users', {
    name: username,
    email: `${username}@example.com`,
    initial_password: password,
    is_active: true,
    force_change: false,
    service_provider_sid,
    account_sid,
  })
}

const signIn = async ({ url }: TestServer) =>
  (await sendOk<{ token: string }>(url, undefined, 'POST', '/v1/login', { username, password })).token

const readAccountStatus = async ({ url }: TestServer, token: string, account: string) =>
  (await send(url, token, 'GET', `/v1/Accounts/${account}`)).status

/** Calls in progress are in Redis: a clear 503 while there is no master, and 200 again after the failover. */
const waitForCalls = async (scene: Scene, server: TestServer, label: string, startMs: number) => {
  const { load, failures, counts } = scene
  for (;;) {
    const { status, text, headers } = await send(
      server.url,
      scene.admin,
      'GET',
      `/v1/Accounts/${load.account}/CallCount`,
    )
    counts.callRequests += 1
    if (status === 200) return performance.now() - startMs
    counts.unavailable += 1
    if (status !== 503 || !headers.has('retry-after') || !/"msg":"[^"]{10,}"/.test(text))
      failures.push(`${label}: calls in progress answer ${status} ${text.slice(0, 200)}`)
    if (performance.now() - startMs > maxRecoveryMs) {
      failures.push(`${label}: calls in progress still answer ${status} after ${maxRecoveryMs / 1000} s`)
      return maxRecoveryMs
    }
    await sleep(100)
  }
}

/** A session that ends on one server ends on all of them at once, also while Redis has no master. */
const checkSignOut = async ({ servers, load, failures, counts }: Scene, token: string, label: string) => {
  const response = await send(servers.at(-1)!.url, token, 'POST', '/v1/logout')
  if (response.status >= 300) {
    failures.push(`${label}: the sign-out answers ${response.status} ${response.text.slice(0, 200)}`)
    return
  }
  counts.signOuts += 1
  const statuses = await Promise.all(servers.map((server) => readAccountStatus(server, token, load.account)))
  if (statuses.some((status) => status !== 401))
    failures.push(`${label}: the servers answer ${statuses.join(', ')} to a session that has ended`)
}

/** One failure of the master: the sentinels choose the replica, and the servers find it without a restart. */
const runRound = async (scene: Scene, round: number, random: Random) => {
  const { redis, servers, load, failures } = scene
  const isHanging = round % 2 === 1
  const label = `round ${round + 1}, master ${isHanging ? 'hangs' : 'is killed'}`
  const tokens = [await signIn(servers[0]!), await signIn(servers[0]!)]
  const master = await redis.findMaster()
  if (!master) throw new Error('The sentinels name no master.')
  load.start()
  await sleep(300 + random.integer(700))
  const startMs = performance.now()
  if (isHanging) master.signal('SIGSTOP')
  else await master.stop('SIGKILL')
  await checkSignOut(scene, tokens[0]!, `${label}, before the failover`)
  const times = await Promise.all(servers.map((server) => waitForCalls(scene, server, label, startMs)))
  scene.recoveryTimesMs.push(...times)
  await checkSignOut(scene, tokens[1]!, `${label}, after the failover`)
  if ((await redis.findMaster()) === master) failures.push(`${label}: the sentinels chose no other master`)
  if (isHanging) master.signal('SIGCONT')
  else await master.start()
  await redis.waitUntilComplete()
  await load.stop()
  await load.checkStoredWrites()
  for (const token of tokens)
    for (const server of servers)
      if ((await readAccountStatus(server, token, load.account)) !== 401)
        failures.push(`${label}: a session that has ended is valid again`)
}

const formatFigures = ({ load, recoveryTimesMs, counts }: Scene, rounds: number) => {
  const times = recoveryTimesMs.toSorted((first, second) => first - second)
  const formatSeconds = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1)
  return (
    `${rounds} failovers, ${load.counts.requests} requests, ${load.counts.acknowledged} acknowledged writes, ` +
    `${counts.signOuts} sign-outs, ${counts.unavailable} of ${counts.callRequests} requests for calls in progress got a 503, ` +
    `recovery within ${formatSeconds(times.at(-1))} s, half of them within ${formatSeconds(times[times.length >> 1])} s`
  )
}

/**
 * Kills and stops the master of a Redis with a replica and three sentinels again and again, while two servers share it. Only
 * calls in progress need Redis, so all other requests must succeed.
 */
export const proveSentinels = (random: Random, rounds: number): Promise<ProofResult> =>
  withDatabaseAndRedis(
    () => RedisSentinels.start(),
    async ({ databaseUrl, redis }) => {
      const settings = {
        DATABASE_URL: databaseUrl,
        ...redis.settings,
        DISABLE_RATE_LIMITS: 'true',
        LOG_LEVEL: 'silent',
        JWT_SECRET: 'of the sentinels proof',
        ENCRYPTION_SECRET: 'of the sentinels proof too',
      }
      const servers: TestServer[] = []
      try {
        for (let number = 0; number < 2; number += 1) servers.push(await startServer(settings))
        const [first] = servers as [TestServer]
        const client = createClient(first.url)
        try {
          const load = new Load(client.send, await createLoadFixture(first.url, first.apiKey), {
            mayBeUnavailable: () => false,
            mayLoseResponse: () => false,
          })
          await addUser(first, load.account)
          const scene: Scene = {
            ...{ redis, servers, admin: first.apiKey, load, failures: [], recoveryTimesMs: [] },
            counts: { callRequests: 0, unavailable: 0, signOuts: 0 },
          }
          for (let round = 0; round < rounds && scene.failures.length < 50; round += 1)
            await runRound(scene, round, random)
          return { failures: [...scene.failures, ...load.problems], figures: formatFigures(scene, rounds) }
        } finally {
          client.close()
        }
      } finally {
        for (const server of servers) await server.dispose()
      }
    },
  )
