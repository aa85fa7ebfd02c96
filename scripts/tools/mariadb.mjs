import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'
import { projectPath } from './paths.mjs'
import { run } from './run.mjs'

/** @typedef {{ url: string, stop: () => Promise<void> }} Database */

const host = '127.0.0.1'
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** @param {number} port @returns {Promise<boolean>} */
const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2000 })
    const finish = (/** @type {boolean} */ result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('data', () => finish(true))
    socket.once('error', () => finish(false))
    socket.once('timeout', () => finish(false))
  })

/** @param {string} url */
const canConnect = async (url) => {
  /** @type {typeof import('mysql2/promise')} */
  const mysql = createRequire(projectPath('server', 'package.json'))('mysql2/promise')
  try {
    const connection = await mysql.createConnection({ uri: url, connectTimeout: 5000 })
    await connection.end()
    return true
  } catch {
    return false
  }
}

/** @param {string[]} names */
const findProgram = (names) =>
  ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

/**
 * Creates an empty data folder, so that tests never touch the machine's own databases. Returns the command of a server for
 * it; undefined if MariaDB is not installed.
 * @param {string} folder
 * @param {number} port
 */
export const prepareTemporaryServer = async (folder, port) => {
  const program = findProgram(['mariadbd', 'mysqld'])
  const installer = findProgram(['mariadb-install-db', 'mysql_install_db'])
  if (!program || !installer) return undefined
  const data = join(folder, 'data')
  const rootArgs = process.getuid?.() === 0 ? ['--user=root'] : []
  const installation = await run(
    installer,
    ['--no-defaults', `--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...rootArgs],
    { captureOutput: true },
  )
  if (installation.code !== 0)
    throw new Error(`mariadb-install-db failed: ${installation.output.trim().split('\n').at(-1)}`)
  const args = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--port=${port}`,
    `--bind-address=${host}`,
    '--skip-networking=0',
    ...rootArgs,
  ]
  return { program, args }
}

/** Installs MariaDB if it is missing and that is possible. */
export const installMariaDb = async () => {
  if (findProgram(['mariadbd', 'mysqld']) || process.getuid?.() !== 0) return
  console.log('Installing MariaDB with apt-get…')
  await aptInstall('mariadb-server')
}

/**
 * Starts a temporary server.
 * @param {number} port
 * @returns {Promise<() => Promise<void>>} a function that stops it
 */
const startTemporaryServer = async (port) => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-mariadb-'))
  const command = await prepareTemporaryServer(folder, port)
  if (!command) throw new Error('mariadbd is not installed and could not be installed')
  const log = join(folder, 'log')
  const out = openSync(log, 'a')
  const child = spawn(command.program, command.args, { stdio: ['ignore', out, out] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', () => child.kill('SIGTERM'))
  for (let attempt = 0; attempt < 60 && child.exitCode === null; attempt++) {
    if (await isListening(port)) return stop
    await sleep(1000)
  }
  const lastLogLines = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n')
  await stop()
  throw new Error(`MariaDB did not start:\n${lastLogLines}`)
}

/**
 * Creates a user for the tests. Debian's server accepts root only through its socket, so this needs root.
 * @param {number} port
 */
const createUser = async (port) => {
  const client = findProgram(['mariadb', 'mysql'])
  if (!client) return null
  const password = randomBytes(12).toString('hex')
  const sql = ['localhost', host]
    .flatMap((clientHost) => [
      `create or replace user 'trunkline_test'@'${clientHost}' identified by '${password}'`,
      `grant all on *.* to 'trunkline_test'@'${clientHost}'`,
    ])
    .join(';')
  if ((await run(client, ['-uroot', '-e', sql], { captureOutput: true })).code !== 0) return null
  const url = `mysql://trunkline_test:${password}@${host}:${port}`
  return (await canConnect(url)) ? url : null
}

/**
 * Returns a MariaDB or MySQL server on which tests may create databases: the one in TEST_MYSQL_URL, the one on this
 * port, or a temporary one.
 * @param {number} [port]
 * @returns {Promise<Database>}
 */
export const ensureMariaDb = async (port = 3306) => {
  const keepRunning = async () => {}
  const configuredUrl = process.env.TEST_MYSQL_URL
  if (configuredUrl) {
    if (await canConnect(configuredUrl)) return { url: configuredUrl, stop: keepRunning }
    throw new Error('the server in TEST_MYSQL_URL refuses the connection')
  }
  if (!(await isListening(port))) await installMariaDb()
  let stop = keepRunning
  if (!(await isListening(port))) {
    console.log('Starting MariaDB…')
    stop = await startTemporaryServer(port)
  }
  const rootUrl = `mysql://root@${host}:${port}`
  const url = (await canConnect(rootUrl)) ? rootUrl : await createUser(port)
  if (url) return { url, stop }
  await stop()
  throw new Error(
    `the server on ${host}:${port} accepts neither root without a password nor a new test user; set TEST_MYSQL_URL`,
  )
}
