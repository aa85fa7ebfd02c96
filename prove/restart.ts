import { setTimeout as sleep } from 'node:timers/promises'
import { startServer, type TestServer } from '../scripts/launch/server'
import { createClient, type SendRequest } from './client'
import { withDatabaseAndRedis } from './database-and-redis'
import { send } from './http'
import { createLoadFixture, Load } from './load'
import type { ProofResult } from './proof'
import type { Random } from './random'
import { startRedis, type Service } from './services'

/** Shorter than the default, so that a hanging database is noticed within a round. */
const databaseTimeoutSeconds = 3
/** A request waits for a connection and for a statement, and a busy machine adds to that. */
const maxRequestMs = 4 * databaseTimeoutSeconds * 1000

type Failure = 'kill' | 'stop' | 'hang'

interface Scene {
  server: TestServer
  sendRequest: SendRequest
  load: Load
  failures: string[]
  recoveryTimesMs: number[]
  setUnavailable: (mayBeUnavailable: boolean) => void
}

/** Ends or stops a service, runs `check`, and makes the service work again. */
const interrupt = async (service: Service, failure: Failure, check: () => Promise<void>): Promise<void> => {
  if (failure === 'hang') {
    service.signal('SIGSTOP')
    try {
      await check()
    } finally {
      service.signal('SIGCONT')
    }
    return
  }
  await service.stop(failure === 'kill' ? 'SIGKILL' : 'SIGTERM')
  await check()
  await service.start()
}

const readStatus = async (url: string, path: string) => (await fetch(url + path)).status

/** While the database is away, every request that needs it gets a clear 503; the console and probes still work. */
const checkResponses = async ({ server, load, failures }: Scene, label: string): Promise<void> => {
  const statuses = await Promise.all(['/', '/livez', '/readyz'].map((path) => readStatus(server.url, path)))
  if (statuses.join() !== '200,200,503') failures.push(`${label}: /, /livez and /readyz answer ${statuses.join()}`)
  const call = `cdrs,account_sid=${load.account} call_sid="x",from="1",to="2",duration=3`
  const requests: [token: string | undefined, path: string, body?: unknown][] = [
    [undefined, '/v1/login', { username: 'admin', password: 'wrong' }],
    [server.apiKey, '/v1/Users/me'],
    [server.apiKey, '/v1/traces', { resourceSpans: [] }],
    [server.apiKey, '/write?db=cdrs', call],
  ]
  await Promise.all(
    requests.map(async ([token, path, body]) => {
      const method = body === undefined ? 'GET' : 'POST'
      const contentType = typeof body === 'string' ? 'text/plain' : 'application/json'
      const { status, text, headers } = await send(server.url, token, method, path, body, contentType)
      const hasSentence = /[A-Za-z]{3,} [a-z]{2,} /.test(text)
      if (status !== 503 || !headers.has('retry-after') || !hasSentence)
        failures.push(`${label}: ${method} ${path} answers ${status} ${text.slice(0, 200)}`)
    }),
  )
}

/** Waits until the load writes again and `/readyz` succeeds. Returns how long that took. */
const waitForRecovery = async ({ server, load }: Scene, label: string, failures: string[]): Promise<number> => {
  const startMs = performance.now()
  const { acknowledged } = load.counts
  while (performance.now() - startMs < 30_000) {
    const isReady = (await readStatus(server.url, '/readyz')) === 200
    if (isReady && load.counts.acknowledged > acknowledged) return performance.now() - startMs
    await sleep(50)
  }
  failures.push(`${label}: the server did not recover within 30 s`)
  return 30_000
}

/** One failure of the database: clear responses meanwhile, recovery without a restart, and no lost write. */
const runDatabaseRound = async (scene: Scene, database: Service, failure: Failure, random: Random, label: string) => {
  const { load, failures } = scene
  load.start()
  await sleep(300 + random.integer(700))
  scene.setUnavailable(true)
  await interrupt(database, failure, async () => {
    const isHanging = failure === 'hang'
    await sleep((isHanging ? 2 * databaseTimeoutSeconds * 1000 : 500) + random.integer(1000))
    await checkResponses(scene, label)
  })
  scene.recoveryTimesMs.push(await waitForRecovery(scene, label, failures))
  // Requests that waited for the old connections end within the statement timeout.
  await sleep(failure === 'hang' ? databaseTimeoutSeconds * 1000 + 500 : 500)
  scene.setUnavailable(false)
  await sleep(500)
  await load.stop()
  await load.checkStoredWrites()
}

/** One failure of Redis: only what needs it is unavailable, with a clear response. */
const runRedisRound = async (scene: Scene, redis: Service, failure: Failure, random: Random, label: string) => {
  const { server, load, sendRequest, failures } = scene
  const readCalls = () => sendRequest(server.apiKey, 'GET', `/v1/Accounts/${load.account}/CallCount`)
  load.start()
  await sleep(200 + random.integer(500))
  await interrupt(redis, failure, async () => {
    for (let request = 0; request < 3; request += 1) {
      const { status, text, retryAfter } = await readCalls()
      if (status !== 503 || retryAfter === undefined || !/"msg":"[^"]{10,}"/.test(text))
        failures.push(`${label}: calls in progress answer ${status} ${text.slice(0, 200)}`)
    }
    await sleep(500)
  })
  const startMs = performance.now()
  let status = 0
  while (status !== 200 && performance.now() - startMs < 15_000) {
    ;({ status } = await readCalls())
    if (status !== 200) await sleep(100)
  }
  if (status !== 200) failures.push(`${label}: calls in progress still answer ${status} after 15 s`)
  else scene.recoveryTimesMs.push(performance.now() - startMs)
  await load.stop()
  await load.checkStoredWrites()
}

const runRounds = async (database: Service, redis: Service, scene: Scene, random: Random, rounds: number) => {
  const kinds: Failure[] = ['kill', 'hang', 'stop']
  for (let round = 0; round < rounds; round += 1) {
    const failure = kinds[round % kinds.length] ?? 'kill'
    await runDatabaseRound(scene, database, failure, random, `round ${round + 1}, MariaDB ${failure}`)
    await runRedisRound(scene, redis, failure, random, `round ${round + 1}, Redis ${failure}`)
    if (scene.load.problems.length + scene.failures.length > 50) return
  }
}

const formatFigures = ({ load, recoveryTimesMs }: Scene, rounds: number) => {
  const { requests, acknowledged, unavailable } = load.counts
  const maxRecovery = (Math.max(...recoveryTimesMs) / 1000).toFixed(1)
  return (
    `${rounds} failures of MariaDB and ${rounds} of Redis, ${requests} requests, ${acknowledged} acknowledged writes, ` +
    `${unavailable} responses with 503, recovery within ${maxRecovery} s, ` +
    `longest request ${(load.longestRequestMs / 1000).toFixed(1)} s`
  )
}

/** Kills, stops and hangs MariaDB and Redis in turn while clients write. */
export const proveServiceRestarts = (random: Random, rounds: number): Promise<ProofResult> =>
  withDatabaseAndRedis(startRedis, async ({ database, databaseUrl, redis }) => {
    const server = await startServer({
      DATABASE_URL: databaseUrl,
      DATABASE_TIMEOUT_SECONDS: String(databaseTimeoutSeconds),
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
      ENABLE_INGEST: 'true',
      DISABLE_RATE_LIMITS: 'true',
      LOG_LEVEL: 'silent',
    })
    const client = createClient(server.url)
    try {
      let mayBeUnavailable = false
      const load = new Load(client.send, await createLoadFixture(server.url, server.apiKey), {
        mayBeUnavailable: () => mayBeUnavailable,
        mayLoseResponse: () => false,
      })
      const setUnavailable = (isUnavailable: boolean) => (mayBeUnavailable = isUnavailable)
      const scene: Scene = { server, sendRequest: client.send, load, failures: [], recoveryTimesMs: [], setUnavailable }
      await runRounds(database, redis, scene, random, rounds)
      if (load.longestRequestMs > maxRequestMs)
        scene.failures.push(`a request took ${Math.round(load.longestRequestMs)} ms`)
      for (const sentence of load.sentences) console.log(`  response: ${sentence}`)
      return { failures: [...scene.failures, ...load.problems], figures: formatFigures(scene, rounds) }
    } finally {
      client.close()
      await server.dispose()
    }
  })
