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
export const findFreePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

const findProgram = (/** @type {string} */ program) =>
  ['/usr/bin', '/usr/sbin', '/usr/local/bin', '/opt/homebrew/bin']
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path))

/**
 * Returns the path of a program. Installs it with apt-get if that is possible. Undefined if it is not.
 * @param {{ title: string, program: string, aptPackage: string }} program
 */
export const ensureProgram = async ({ title, program, aptPackage }) => {
  if (!findProgram(program) && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`Installing ${title} with apt-get…`)
    await aptInstall(aptPackage)
  }
  return findProgram(program)
}

/**
 * A service for tests; its data is discarded.
 * @typedef {object} Daemon
 * @property {string} title its display name
 * @property {string} urlVariable the environment variable with the URL of an existing service
 * @property {string} program the name of its executable
 * @property {string} aptPackage
 * @property {number} startTimeoutSeconds
 * @property {(port: number) => string} url
 * @property {(folder: string, port: number) => string[] | Promise<string[]>} buildArgs
 * @property {(port: number) => Promise<boolean>} isReady
 */

/**
 * Starts a service with an empty data folder, which is deleted when it stops.
 * @param {Pick<Daemon, 'title' | 'startTimeoutSeconds' | 'url' | 'buildArgs' | 'isReady'> & { path: string }} daemon `path`: its executable
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export const startDaemon = async ({ title, path, startTimeoutSeconds, url, buildArgs, isReady }) => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-daemon-'))
  const port = await findFreePort()
  const child = spawn(path, await buildArgs(folder, port), { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const terminate = () => child.kill('SIGTERM')
  process.once('exit', terminate)
  const stop = async () => {
    process.off('exit', terminate)
    terminate()
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < startTimeoutSeconds * 10 && child.exitCode === null; attempt++) {
    if (await isReady(port)) return { url: url(port), stop }
    await sleep(100)
  }
  await stop()
  throw new Error(`${title} did not start`)
}

/**
 * Returns the service in the environment variable, or starts an empty one. Never uses another running service. Undefined
 * if it cannot be installed.
 * @param {Daemon} daemon
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | undefined>}
 */
export const ensureDaemon = async ({
  title,
  urlVariable,
  program,
  aptPackage,
  startTimeoutSeconds,
  url,
  buildArgs,
  isReady,
}) => {
  const configuredUrl = process.env[urlVariable]
  if (configuredUrl) return { url: configuredUrl, stop: async () => {} }
  const path = await ensureProgram({ title, program, aptPackage })
  if (!path) {
    console.log(
      `${title} is not installed and could not be installed. Its tests are skipped. Set ${urlVariable} to use an existing one.`,
    )
    return undefined
  }
  return startDaemon({ title, path, startTimeoutSeconds, url, buildArgs, isReady })
}
