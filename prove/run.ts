import { findFreePort, startServer, type TestServer } from '../scripts/launch/server'
import { proveCrashSafety } from './crash'
import { fuzzApi, fuzzIngest } from './fuzz'
import { counter } from './http'
import { proveIsolation } from './matrix'
import { createRandom, type Random } from './random'
import { createTestTenancy } from './tenancy'

/**
 * `npm run prove -- [matrix] [fuzz] [crash] [--short] [--seed N]`: attacks a built server on a new database.
 * With E2E_DATABASE_URL the server runs on MySQL or MariaDB. Exits with 1 if anything failed.
 */

const args = process.argv.slice(2)
const isShort = args.includes('--short')
const seedText = args[args.indexOf('--seed') + 1]
const seed = args.includes('--seed') && seedText ? Number(seedText) : Date.now() % 2 ** 31

const hepPort = await findFreePort()

const proofs: Record<string, (server: TestServer, random: Random) => Promise<string[]>> = {
  matrix: async ({ url, apiKey }) => proveIsolation(url, apiKey, await createTestTenancy(url, apiKey), isShort),
  fuzz: async ({ url, apiKey }, random) => {
    const tenancy = await createTestTenancy(url, apiKey)
    const ingest = await fuzzIngest(url, tenancy, random, isShort ? 200 : 3000, hepPort)
    return [...ingest, ...(await fuzzApi(url, apiKey, tenancy, random, isShort ? 10 : 130))]
  },
  crash: (server, random) => proveCrashSafety(server, random, isShort ? 4 : 60),
}

const selectedNames = args.filter((argument) => argument in proofs)
let failureCount = 0
console.log(`seed ${seed}`)
for (const name of selectedNames.length > 0 ? selectedNames : Object.keys(proofs)) {
  const server = await startServer({
    ENABLE_INGEST: 'true',
    DISABLE_RATE_LIMITS: 'true',
    HEP_PORT: String(hepPort),
    LOG_LEVEL: 'fatal',
  })
  counter.requests = 0
  try {
    const failures = (await proofs[name]?.(server, createRandom(seed))) ?? []
    for (const failure of failures.slice(0, 100)) console.log(`  ${failure}`)
    console.log(`${name}: ${counter.requests} requests, ${failures.length} failures`)
    failureCount += failures.length
  } catch (error) {
    console.log(`${name}: ${String(error)}\n${server.output().slice(-4000)}`)
    failureCount += 1
  } finally {
    await server.dispose()
  }
}
process.exitCode = failureCount > 0 ? 1 : 0
