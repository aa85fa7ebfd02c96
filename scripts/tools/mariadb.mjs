import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'
import { at } from './paths.mjs'
import { run } from './run.mjs'

/** @typedef {{ url: string, stop: () => Promise<void> }} Database */

const host = '127.0.0.1'
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {number} port @returns {Promise<boolean>} */
const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 })
    const end = (/** @type {boolean} */ result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('data', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })

/** @param {string} url */
const accepts = async (url) => {
  /** @type {typeof import('mysql2/promise')} */
  const mysql = createRequire(at('server', 'package.json'))('mysql2/promise')
  try {
    const connection = await mysql.createConnection({ uri: url, connectTimeout: 5000 })
    await connection.end()
    return true
  } catch {
    return false
  }
}

/** @param {string[]} names */
const program = (names) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

/**
 * Starts a temporary server with an empty data folder, so that tests never touch the machine's own databases.
 * @param {number} port
 * @returns {Promise<() => Promise<void>>} a function that stops it
 */
const startOwn = async (port) => {
  const daemon = program(['mariadbd', 'mysqld'])
  const installer = program(['mariadb-install-db', 'mysql_install_db'])
  if (!daemon || !installer) throw new Error('there is no mariadbd on this machine and it could not be installed')
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-mariadb-'))
  const data = join(folder, 'data')
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []
  const laid = await run(
    installer,
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...asRoot],
    { quiet: true },
  )
  if (laid.code !== 0) throw new Error(`mariadb-install-db failed: ${laid.output.trim().split('\n').at(-1)}`)

  const log = join(folder, 'log')
  const out = openSync(log, 'a')
  const child = spawn(
    daemon,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--port=${port}`,
      `--bind-address=${host}`,
      '--skip-networking=0',
      ...asRoot,
    ],
    { stdio: ['ignore', out, out] },
  )
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', () => child.kill('SIGTERM'))
  for (let waited = 0; waited < 60 && child.exitCode === null; waited++) {
    if (await answers(port)) return stop
    await sleep(1000)
  }
  const words = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
  await stop()
  throw new Error(`MariaDB did not start:\n${words}`)
}

/**
 * Creates a user for the tests. Debian's server accepts root only through its socket, so this needs root.
 * @param {number} port
 */
const makeUser = async (port) => {
  const client = program(['mariadb', 'mysql'])
  if (!client) return null
  const password = randomBytes(12).toString('hex')
  const sql = ['localhost', host]
    .flatMap((from) => [
      `create or replace user 'trunkline_test'@'${from}' identified by '${password}'`,
      `grant all on *.* to 'trunkline_test'@'${from}'`,
    ])
    .join(';')
  if ((await run(client, ['-uroot', '-e', sql], { quiet: true })).code !== 0) return null
  const url = `mysql://trunkline_test:${password}@${host}:${port}`
  return (await accepts(url)) ? url : null
}

/**
 * Returns a MariaDB or MySQL server on which tests may create databases: the one in TEST_MYSQL_URL, the one on this
 * port, or a temporary one.
 * @param {number} [port]
 * @returns {Promise<Database>}
 */
export const ensureMariaDb = async (port = 3306) => {
  const leave = async () => {}
  const named = process.env.TEST_MYSQL_URL
  if (named) {
    if (await accepts(named)) return { url: named, stop: leave }
    throw new Error('the server that TEST_MYSQL_URL names does not let us in')
  }
  if (!(await answers(port)) && !program(['mariadbd', 'mysqld']) && process.getuid?.() === 0) {
    console.log('Installing MariaDB with apt-get…')
    await aptInstall('mariadb-server')
  }
  let stop = leave
  if (!(await answers(port))) {
    console.log('Starting MariaDB…')
    stop = await startOwn(port)
  }
  const open = `mysql://root@${host}:${port}`
  const url = (await accepts(open)) ? open : await makeUser(port)
  if (url) return { url, stop }
  await stop()
  throw new Error(
    `the server on ${host}:${port} lets neither root without a password nor a user of ours in; name one with TEST_MYSQL_URL`,
  )
}
