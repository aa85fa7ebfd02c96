import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkAudit } from './audit.mjs'
import { checkPackage } from './check-package.mjs'
import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { createEmptyCounts, readPlaywrightCounts, countCheck, sumCounts, readVitestCounts } from './counts.mjs'
import { ensureClickHouse } from './clickhouse.mjs'
import { ensureProgram } from './daemon.mjs'
import { checkLicenses } from './licenses.mjs'
import { findMissingPackages } from './lockfile.mjs'
import { ensureMariaDb } from './mariadb.mjs'
import { nginxProgram } from './nginx.mjs'
import { projectPath, cacheFolder, root } from './paths.mjs'
import { forEachNodeVersion } from './node-versions.mjs'
import { ensureHelm } from './helm.mjs'
import { ensureInflux } from './influxdb.mjs'
import { ensureRedis } from './redis.mjs'
import { run, runNode } from './run.mjs'

/** @typedef {import('./counts.mjs').Counts} Counts */

const bin = {
  // checks types four times as fast as version 6, which typescript-eslint still needs
  tsc: projectPath('node_modules', 'typescript-7', 'bin', 'tsc'),
  eslint: projectPath('node_modules', 'eslint', 'bin', 'eslint.js'),
  prettier: projectPath('node_modules', 'prettier', 'bin', 'prettier.cjs'),
  knip: projectPath('node_modules', 'knip', 'bin', 'knip.js'),
  vitest: projectPath('node_modules', 'vitest', 'vitest.mjs'),
  playwright: projectPath('node_modules', '@playwright', 'test', 'cli.js'),
}

const reportFolder = join(cacheFolder, 'reports')

/** Runs a program, and prints its output only if it fails. @param {string} name @param {string[]} args */
const runCheck = async (name, args) => {
  const { code, output } = await runNode(args, { captureOutput: true })
  if (code !== 0) console.log(`${name}:\n${output.trim()}\n`)
  return code === 0
}

/** @returns {Promise<Counts>} */
export const types = async () => {
  let isPassed = true
  for (const project of ['contract', 'server', 'console', '.']) {
    const buildInfoFile = join(cacheFolder, `tsc-${project === '.' ? 'tools' : project}.json`)
    const args = ['--project', projectPath(project), '--incremental', '--tsBuildInfoFile', buildInfoFile]
    isPassed =
      (await runCheck(`types in ${project === '.' ? 'everything outside the workspaces' : project}`, [
        bin.tsc,
        ...args,
      ])) && isPassed
  }
  return countCheck(isPassed)
}

/** With V8's default for the young generation, a fifth of the processor time of ESLint is garbage collection. */
const lintMemory = '--max-semi-space-size=128'

/** @param {string} folder */
const lintFolder = (folder) => {
  const ignored =
    folder === '.' ? ['contract', 'server', 'console'].flatMap((name) => ['--ignore-pattern', `${name}/`]) : []
  const title = `eslint in ${folder === '.' ? 'everything outside the workspaces' : folder}`
  return runCheck(title, [lintMemory, bin.eslint, folder, '--max-warnings=0', ...ignored])
}

/**
 * Runs ESLint once per part of the project, because the types of all parts do not fit into the memory of one process. Two
 * processes run concurrently; the console takes as long as the other parts together.
 * @returns {Promise<Counts>}
 */
export const lint = async () => {
  const results = await Promise.all(
    [['console'], ['server', 'contract', '.']].map(async (folders) => {
      let isPassed = true
      for (const folder of folders) isPassed = (await lintFolder(folder)) && isPassed
      return isPassed
    }),
  )
  return countCheck(results.every(Boolean))
}

/** @returns {Promise<Counts>} */
export const format = async () =>
  countCheck(
    await runCheck('prettier', [
      bin.prettier,
      '--check',
      '.',
      '--log-level=warn',
      '--cache',
      '--cache-location',
      join(cacheFolder, 'prettier'),
    ]),
  )

/** @returns {Promise<Counts>} */
export const dead = async () => countCheck(await runCheck('knip', [bin.knip]))

/** @returns {Promise<Counts>} */
export const lock = async () => {
  const missing = findMissingPackages()
  for (const line of missing) console.log(line)
  return countCheck(missing.length === 0)
}

/** @returns {Promise<Counts>} */
export const audit = async () => countCheck(await checkAudit())

/** @returns {Promise<Counts>} */
export const licenses = async () => countCheck(checkLicenses())

/**
 * @param {string} name
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @param {{ node: string, cwd: string }} [project] another Node, and the copy of the project that it tests
 * @returns {Promise<Counts>}
 */
const vitest = async (name, args, env = {}, { node, cwd } = { node: process.execPath, cwd: root }) => {
  const report = join(reportFolder, `${name}.json`)
  clearReport(report)
  const { code } = await run(
    node,
    [
      join(cwd, relative(root, bin.vitest)),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--silent=passed-only',
      // Tests sometimes fail on a busy CI machine. Tests that pass on a retry are listed at the end.
      `--retry=${process.env.CI ? 2 : 0}`,
      ...args,
    ],
    { env, cwd },
  )
  return readVitestCounts(report, code)
}

/** @param {string} name @param {string[]} args @param {Record<string, string>} [env] @returns {Promise<Counts>} */
const playwright = async (name, args, env = {}) => {
  const report = join(reportFolder, `${name}.json`)
  clearReport(report)
  const browser = await findChromium()
  if (!browser) {
    console.log('Chromium is not installed and could not be downloaded. Install it, or set CHROMIUM_PATH.')
    return countCheck(false)
  }
  await ensureBuilt()
  const { code } = await runNode([bin.playwright, 'test', '--reporter=list,json', ...args], {
    env: { ...env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  return readPlaywrightCounts(report, code)
}

/** Deletes the report of an earlier run, so that a crashed tool does not report old results. @param {string} report */
const clearReport = (report) => {
  mkdirSync(reportFolder, { recursive: true })
  rmSync(report, { force: true })
}

/** The services of the unit tests, each with the variable for its URL. */
const unitTestServices = [
  { urlVariable: 'TEST_REDIS_URL', ensure: ensureRedis },
  { urlVariable: 'TEST_INFLUX_URL', ensure: ensureInflux },
  { urlVariable: 'TEST_CLICKHOUSE_URL', ensure: ensureClickHouse },
]

/** @param {string[]} toolArgs @returns {Promise<Counts>} */
export const unit = async (toolArgs) => {
  /** @type {{ urlVariable: string, url: string, stop: () => Promise<void> }[]} */
  const services = []
  try {
    for (const { urlVariable, ensure } of unitTestServices) {
      const service = await ensure()
      if (service) services.push({ urlVariable, ...service })
    }
    const helm = await ensureHelm()
    const nginx = await ensureProgram(nginxProgram)
    return await vitest('unit', toolArgs, {
      ...Object.fromEntries(services.map(({ urlVariable, url }) => [urlVariable, url])),
      ...(helm ? { TEST_HELM: helm } : {}),
      ...(nginx ? { TEST_NGINX: nginx } : {}),
    })
  } finally {
    for (const { stop } of services) await stop()
  }
}

/** @returns {Promise<Counts>} */
export const build = async () => {
  await ensureBuilt()
  return createEmptyCounts()
}

/** @returns {Promise<Counts>} */
export const packages = async () => {
  await checkPackage()
  return countCheck(true)
}

/** The proofs that need no service and take less than a minute. */
const provenParts = ['matrix', 'fuzz', 'crash', 'history', 'disk']

/** The short proofs, with a fixed seed. @returns {Promise<Counts>} */
export const prove = async () => {
  await ensureBuilt()
  const { code } = await runNode([
    ...['--import', 'tsx', projectPath('prove', 'run.ts')],
    ...provenParts,
    ...['--short', '--seed', '1'],
  ])
  return countCheck(code === 0)
}

/** @param {string[]} toolArgs @returns {Promise<Counts>} */
export const browser = (toolArgs) => playwright('e2e', ['--project=journeys', ...toolArgs])

/** @param {string[]} toolArgs @returns {Promise<Counts>} */
export const screenshots = (toolArgs) => playwright('screenshots', ['--project=screenshots', ...toolArgs])

/** The server tests that run on MySQL: on both engines, or on MySQL only. */
const mysqlTestFiles = () =>
  readdirSync(projectPath('server'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(src|test)[\\/].*\.test\.ts$/.test(path))
    .filter((path) => /\/databases'|TEST_MYSQL_URL/.test(readFileSync(projectPath('server', path), 'utf8')))
    .map((path) => join('server', path))

/**
 * Runs tests on MariaDB.
 * @param {(env: { TEST_MYSQL_URL: string, TEST_ENGINE: string }) => Promise<Counts>} runTests
 */
const withMariaDb = async (runTests) => {
  let database
  try {
    database = await ensureMariaDb()
  } catch (error) {
    console.log(`MariaDB: ${error instanceof Error ? error.message : error}`)
    return countCheck(false)
  }
  try {
    return await runTests({ TEST_MYSQL_URL: database.url, TEST_ENGINE: 'mysql' })
  } finally {
    await database.stop()
  }
}

/** @param {string} databaseUrl */
const runFirstHour = (databaseUrl) =>
  playwright('mysql-e2e', ['--project=journeys', 'first-hour'], { E2E_DATABASE_URL: databaseUrl })

/** Runs the API tests and the first-hour browser test on MariaDB. @returns {Promise<Counts>} */
export const mysql = () =>
  withMariaDb(async (env) =>
    sumCounts([
      await vitest('mysql-api', ['--project=server', ...mysqlTestFiles()], env),
      await runFirstHour(env.TEST_MYSQL_URL),
    ]),
  )

/** Long tests whose results do not depend on the version of Node. They run only on the one with MariaDB. */
const testsIndependentOfNode = [
  'server/test/killed-payment.test.ts',
  'server/test/killed-server.test.ts',
  'server/src/resources/{subscriptions,sip-realms}/**',
]

/**
 * Runs the server's unit and API tests on further versions of Node: with SQLite on one, with MariaDB on the other. Then
 * runs the first-hour browser test on MariaDB.
 * @returns {Promise<Counts>}
 */
export const node = () =>
  withMariaDb(async (mysqlEnv) => {
    const excluded = testsIndependentOfNode.map((path) => `--exclude=${path}`)
    const counts = await forEachNodeVersion(({ databaseEngine, ...project }) => {
      const isMysql = databaseEngine === 'mysql'
      console.log(`Node ${project.version} with ${isMysql ? 'MariaDB' : 'SQLite'}:`)
      const args = ['--project=server', ...(isMysql ? [] : excluded)]
      const env = { ...project.env, ...(isMysql ? mysqlEnv : {}) }
      return vitest(`node-${project.version}`, args, env, project)
    })
    return sumCounts([...counts, await runFirstHour(mysqlEnv.TEST_MYSQL_URL)])
  })
