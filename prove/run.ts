import { findFreePort, startServer, type TestServer } from '../scripts/launch/server'
import { proveReproducibleBuild } from './build'
import { proveCrashSafety } from './crash'
import { proveFullAndReadOnlyDisk } from './disk'
import { fuzzApi, fuzzIngest } from './fuzz'
import { proveHistory } from './history/history'
import { proveGalera } from './galera'
import { requestCounter } from './http'
import { proveIsolation } from './matrix'
import { parseProveOptions, type ProofName } from './options.mjs'
import type { ProofResult } from './proof'
import { createRandom } from './random'
import { proveReplicas } from './replicas'
import { proveServiceRestarts } from './restart'
import { proveSentinels } from './sentinels'
import { createTestTenancy } from './tenancy'

/**
 * `npm run prove`: attacks a built server on a new database.
 * With E2E_DATABASE_URL the server runs on MySQL or MariaDB. Exits with 1 if anything failed.
 */

const { isShort, seed, count, names } = parseProveOptions(process.argv.slice(2))

const hepPort = await findFreePort()

/** Adds the routes of the hosted edition. Its mail server and identity provider do not respond. */
const hostedSettings = {
  ENABLE_HOSTED_SYSTEM: 'true',
  TERMS_URL: 'https://example.com/terms',
  PRIVACY_URL: 'https://example.com/privacy',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'support@example.com',
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
  GITHUB_TOKEN_URL: 'http://127.0.0.1:9/token',
}

const countRequests = (failures: string[]): ProofResult => ({ failures, figures: `${requestCounter.count} requests` })

/** Runs a proof against a server of its own. */
const withServer =
  (prove: (server: TestServer) => Promise<ProofResult>, settings: Record<string, string> = hostedSettings) =>
  async (): Promise<ProofResult> => {
    const server = await startServer({
      ENABLE_INGEST: 'true',
      DISABLE_RATE_LIMITS: 'true',
      HEP_PORT: String(hepPort),
      LOG_LEVEL: 'fatal',
      ...settings,
    })
    try {
      return await prove(server)
    } catch (error) {
      return { failures: [`${String(error)}\n${server.output().slice(-4000)}`], figures: 'stopped' }
    } finally {
      await server.dispose()
    }
  }

const proofs: Record<ProofName, () => Promise<ProofResult>> = {
  matrix: withServer(async ({ url, apiKey }) =>
    countRequests(await proveIsolation(url, apiKey, await createTestTenancy(url, apiKey), isShort)),
  ),
  fuzz: withServer(async ({ url, apiKey }) => {
    const random = createRandom(seed)
    const tenancy = await createTestTenancy(url, apiKey)
    const ingest = await fuzzIngest(url, tenancy, random, isShort ? 200 : 3000, hepPort)
    return countRequests([...ingest, ...(await fuzzApi(url, apiKey, tenancy, random, count ?? (isShort ? 10 : 130)))])
  }),
  crash: withServer((server) => proveCrashSafety(server, createRandom(seed), count ?? (isShort ? 4 : 60))),
  history: withServer(
    (server) => proveHistory(server, seed, count ?? (isShort ? 3000 : 500_000), isShort ? 15 : 3600),
    // The sessions must last as long as the proof.
    { JWT_EXPIRES_IN: '1440' },
  ),
  replicas: () => proveReplicas(createRandom(seed), count ?? (isShort ? 1 : 20)),
  restart: () => proveServiceRestarts(createRandom(seed), count ?? (isShort ? 3 : 30)),
  sentinels: () => proveSentinels(createRandom(seed), count ?? (isShort ? 2 : 20)),
  build: proveReproducibleBuild,
  galera: () => proveGalera(createRandom(seed), count ?? (isShort ? 1 : 10)),
  disk: () => proveFullAndReadOnlyDisk(createRandom(seed), count ?? (isShort ? 1 : 20)),
}

let failureCount = 0
for (const name of names) {
  requestCounter.count = 0
  const startedAtMs = performance.now()
  const { failures, figures, skipped }: ProofResult = await proofs[name]().catch((error: unknown) => ({
    failures: [String(error)],
    figures: 'stopped',
  }))
  for (const failure of failures.slice(0, 100)) console.log(`  ${failure}`)
  const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1)
  console.log(
    skipped
      ? `${name}: skipped, ${skipped}`
      : `${name}: ${figures}, ${failures.length} failures (seed ${seed}, ${seconds} s)`,
  )
  failureCount += failures.length
}
process.exitCode = failureCount > 0 ? 1 : 0
