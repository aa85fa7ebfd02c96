import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { auditPasses } from './audit.mjs'
import { ensureBuilt } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { none, playwrightCounts, single, sum, vitestCounts } from './counts.mjs'
import { checkLock } from './lock.mjs'
import { ensureMariaDb } from './mariadb.mjs'
import { at, cacheFolder } from './paths.mjs'
import { ensureInflux } from './influxdb.mjs'
import { ensureRedis } from './redis.mjs'
import { runNode } from './run.mjs'

/** @typedef {import('./counts.mjs').Counts} Counts */

const bin = {
  tsc: at('node_modules', 'typescript', 'bin', 'tsc'),
  eslint: at('node_modules', 'eslint', 'bin', 'eslint.js'),
  prettier: at('node_modules', 'prettier', 'bin', 'prettier.cjs'),
  knip: at('node_modules', 'knip', 'bin', 'knip.js'),
  vitest: at('node_modules', 'vitest', 'vitest.mjs'),
  playwright: at('node_modules', '@playwright', 'test', 'cli.js'),
}

const reports = join(cacheFolder, 'reports')

/** Prints a program's output only if it fails. @param {string} name @param {string[]} args */
const quietly = async (name, args) => {
  const { code, output } = await runNode(args, { quiet: true })
  if (code !== 0) console.log(`${name}:\n${output.trim()}\n`)
  return code === 0
}

/** @returns {Promise<Counts>} */
export const types = async () => {
  let good = true
  for (const project of ['contract', 'server', 'console', '.']) {
    const note = join(cacheFolder, `tsc-${project === '.' ? 'tools' : project}.json`)
    const args = ['--project', at(project), '--incremental', '--tsBuildInfoFile', note]
    good = (await quietly(`types in ${project === '.' ? 'scripts and e2e' : project}`, [bin.tsc, ...args])) && good
  }
  return single(good)
}

/** @returns {Promise<Counts>} */
export const lint = async () => single(await quietly('eslint', [bin.eslint, '.', '--max-warnings=0']))

/** @returns {Promise<Counts>} */
export const format = async () =>
  single(
    await quietly('prettier', [
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
export const dead = async () => single(await quietly('knip', [bin.knip]))

/** @returns {Promise<Counts>} */
export const lock = async () => {
  const missing = checkLock()
  for (const line of missing) console.log(line)
  return single(missing.length === 0)
}

/** @returns {Promise<Counts>} */
export const audit = async () => single(await auditPasses())

/** @param {string} name @param {string[]} args @param {Record<string, string>} [env] @returns {Promise<Counts>} */
const vitest = async (name, args, env = {}) => {
  const report = join(reports, `${name}.json`)
  prepare(report)
  const { code } = await runNode(
    [
      bin.vitest,
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
      '--silent=passed-only',
      // Tests on a shared CI machine may fail now and then. Tests that pass on a retry are listed at the end of the
      // run.
      `--retry=${process.env.CI ? 2 : 0}`,
      ...args,
    ],
    { env },
  )
  return vitestCounts(report, code)
}

/** @param {string} name @param {string[]} args @param {Record<string, string>} [env] @returns {Promise<Counts>} */
const playwright = async (name, args, env = {}) => {
  const report = join(reports, `${name}.json`)
  prepare(report)
  const browser = await findChromium()
  if (!browser) {
    console.log('No Chromium: none is installed and none could be had. Install one, or name it with CHROMIUM_PATH.')
    return single(false)
  }
  await ensureBuilt()
  const { code } = await runNode([bin.playwright, 'test', '--reporter=list,json', ...args], {
    env: { ...env, CHROMIUM_PATH: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  })
  return playwrightCounts(report, code)
}

/** Deletes the report of an earlier run, so that it is not mistaken for this one's. @param {string} report */
const prepare = (report) => {
  mkdirSync(reports, { recursive: true })
  rmSync(report, { force: true })
}

/** @param {string[]} rest @returns {Promise<Counts>} */
export const unit = async (rest) => {
  const redis = await ensureRedis()
  const influx = await ensureInflux()
  try {
    return await vitest('unit', rest, {
      ...(redis ? { TEST_REDIS_URL: redis.url } : {}),
      ...(influx ? { TEST_INFLUX_URL: influx.url } : {}),
    })
  } finally {
    await influx?.stop()
    await redis?.stop()
  }
}

/** @returns {Promise<Counts>} */
export const build = async () => {
  await ensureBuilt()
  return none()
}

/** The short isolation, fuzzing and crash proofs, with a fixed seed. @returns {Promise<Counts>} */
export const prove = async () => {
  await ensureBuilt()
  const { code } = await runNode(['--import', 'tsx', at('prove', 'run.ts'), '--short', '--seed', '1'])
  return single(code === 0)
}

/** @param {string[]} rest @returns {Promise<Counts>} */
export const browser = (rest) => playwright('e2e', ['--project=journeys', ...rest])

/** @param {string[]} rest @returns {Promise<Counts>} */
export const screenshots = (rest) => playwright('screenshots', ['--project=screenshots', ...rest])

/** The server tests that run on both engines or on MySQL only. */
const onMysql = () =>
  readdirSync(at('server'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(src|test)[\\/].*\.test\.ts$/.test(path))
    .filter((path) => /\/engines'|TEST_MYSQL_URL/.test(readFileSync(at('server', path), 'utf8')))
    .map((path) => join('server', path))

/** Repeats the API tests and the end-to-end test of the first hour on MySQL. @returns {Promise<Counts>} */
export const mysql = async () => {
  let database
  try {
    database = await ensureMariaDb()
  } catch (error) {
    console.log(`MariaDB: ${error instanceof Error ? error.message : error}`)
    return single(false)
  }
  try {
    const env = { TEST_MYSQL_URL: database.url, TEST_ENGINE: 'mysql' }
    const api = await vitest('mysql-api', ['--project=server', ...onMysql()], env)
    const journey = await playwright('mysql-e2e', ['--project=journeys', 'first-hour'], {
      E2E_DATABASE_URL: database.url,
    })
    return sum([api, journey])
  } finally {
    await database.stop()
  }
}
