import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aptInstall } from './apt.mjs'

/** The test daemons listen on loopback, so that no other machine can reach them. */
export const host = '127.0.0.1'

const sleep = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Returns a port that is currently free. @returns {Promise<number>} */
export const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const installed = (/** @type {string} */ program) =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

/**
 * A service for tests; its data is discarded.
 * @typedef {object} Daemon
 * @property {string} title its display name
 * @property {string} variable the environment variable with the URL of an existing one
 * @property {string} program its executable
 * @property {string} pack its Debian package
 * @property {number} seconds the startup timeout
 * @property {(port: number) => string} url
 * @property {(folder: string, port: number) => string[] | Promise<string[]>} settings its arguments
 * @property {(port: number) => Promise<boolean>} answers
 */

/**
 * Returns the service in the environment variable, or starts an empty one; never uses another one that happens to run.
 * Undefined if it cannot be installed.
 * @param {Daemon} daemon
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | undefined>}
 */
export const ensureDaemon = async ({ title, variable, program, pack, seconds, url, settings, answers }) => {
  const named = process.env[variable]
  if (named) return { url: named, stop: async () => {} }
  if (!installed(program) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${title} with apt-get…`)
    await aptInstall(pack)
  }
  const path = installed(program)
  if (!path) {
    console.log(
      `No ${title}: none is installed and none could be had. Its tests are left out; name one with ${variable}.`,
    )
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-daemon-'))
  const port = await freePort()
  const child = spawn(path, await settings(folder, port), { stdio: 'ignore' })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const end = () => child.kill('SIGTERM')
  process.once('exit', end)
  const stop = async () => {
    process.off('exit', end)
    end()
    await gone
    rmSync(folder, { recursive: true, force: true })
  }
  for (let waited = 0; waited < seconds * 10 && child.exitCode === null; waited++) {
    if (await answers(port)) return { url: url(port), stop }
    await sleep(100)
  }
  await stop()
  throw new Error(`${title} did not start`)
}
