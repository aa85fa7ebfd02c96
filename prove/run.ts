import { parseArgs } from 'node:util'
import { findFreePort, startServer, type TestServer } from '../scripts/launch/server'
import { proveCrashSafety } from './crash'
import { fuzzApi, fuzzIngest } from './fuzz'
import { requestCounter } from './http'
import { proveIsolation } from './matrix'
import { createRandom, type Random } from './random'
import { createTestTenancy } from './tenancy'

/**
 * `npm run prove -- [matrix] [fuzz] [crash] [--short] [--seed N]`: attacks a built server on a new database.
 * With E2E_DATABASE_URL the server runs on MySQL or MariaDB. Exits with 1 if anything failed.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean', default: false }, seed: { type: 'string' } },
})
const isShort = values.short
const seed = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.')

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

const proofs: Record<string, (server: TestServer, random: Random) => Promise<string[]>> = {
  matrix: async ({ url, apiKey }) => proveIsolation(url, apiKey, await createTestTenancy(url, apiKey), isShort),
  fuzz: async ({ url, apiKey }, random) => {
    const tenancy = await createTestTenancy(url, apiKey)
    const ingest = await fuzzIngest(url, tenancy, random, isShort ? 200 : 3000, hepPort)
    return [...ingest, ...(await fuzzApi(url, apiKey, tenancy, random, isShort ? 10 : 130))]
  },
  crash: (server, random) => proveCrashSafety(server, random, isShort ? 4 : 60),
}

const unknownName = positionals.find((name) => !Object.hasOwn(proofs, name))
if (unknownName) throw new Error(`Unknown part '${unknownName}'. Parts: ${Object.keys(proofs).join(', ')}.`)
let failureCount = 0
console.log(`seed ${seed}`)
for (const name of positionals.length > 0 ? positionals : Object.keys(proofs)) {
  const server = await startServer({
    ENABLE_INGEST: 'true',
    DISABLE_RATE_LIMITS: 'true',
    HEP_PORT: String(hepPort),
    LOG_LEVEL: 'fatal',
    ...hostedSettings,
  })
  requestCounter.count = 0
  try {
    const failures = (await proofs[name]?.(server, createRandom(seed))) ?? []
    for (const failure of failures.slice(0, 100)) console.log(`  ${failure}`)
    console.log(`${name}: ${requestCounter.count} requests, ${failures.length} failures`)
    failureCount += failures.length
  } catch (error) {
    console.log(`${name}: ${String(error)}\n${server.output().slice(-4000)}`)
    failureCount += 1
  } finally {
    await server.dispose()
  }
}
process.exitCode = failureCount > 0 ? 1 : 0
