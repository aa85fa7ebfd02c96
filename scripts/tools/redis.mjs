import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'

const host = '127.0.0.1'
const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** A port that was free a moment ago. @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** @param {number} port @returns {Promise<boolean>} */
const answers = (port) =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 }, () => socket.write('PING\r\n'))
    const end = (/** @type {boolean} */ result) => {
      socket.destroy()
      resolve(result)
    }
    socket.once('data', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })

const program = () =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, 'redis-server'))
    .find((path) => existsSync(path))

/**
 * An empty Redis for the tests, which throw away what is in it: the named one or one of our own, never one that merely
 * answers. Undefined when there is none and none can be had.
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | undefined>}
 */
export const ensureRedis = async () => {
  const named = process.env.TEST_REDIS_URL
  if (named) return { url: named, stop: async () => {} }
  if (!program() && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Redis with apt-get…')
    await aptInstall('redis-server')
  }
  const daemon = program()
  if (!daemon) {
    console.log(
      'No Redis: none is installed and none could be had. Its tests are left out; name one with TEST_REDIS_URL.',
    )
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-redis-'))
  const port = await freePort()
  const settings = ['--bind', host, '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no']
  const child = spawn(daemon, settings, { stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  const stop = async () => {
    process.off('exit', end)
    end()
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  for (let waited = 0; waited < 100 && child.exitCode === null; waited++) {
    if (await answers(port)) return { url: `redis://${host}:${port}`, stop }
    await sleep(100)
  }
  await stop()
  throw new Error('Redis did not start')
}
