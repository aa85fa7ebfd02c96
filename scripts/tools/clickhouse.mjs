import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { host, startDaemon } from './daemon.mjs'
import { computeFingerprint, readStamp, writeStamp } from './fingerprint.mjs'
import { cacheFolder, projectPath } from './paths.mjs'
import { runNpm } from './run.mjs'

// The engine has 540 MB, so it is no dependency of the project: only the tests install it, in a folder of their own.
const installFolder = join(cacheFolder, 'chdb')
const stamp = join(installFolder, '.installed')
const packageFiles = ['package.json', 'package-lock.json']

/** Installs chDB, the ClickHouse engine as a library. Returns whether it is installed. */
const ensureChdb = async () => {
  const fingerprint = computeFingerprint(packageFiles.map((file) => `scripts/tools/chdb/${file}`))
  if (readStamp(stamp) === fingerprint) return true
  console.log('Installing chDB (the ClickHouse engine for tests, 540 MB)…')
  rmSync(installFolder, { recursive: true, force: true })
  mkdirSync(installFolder, { recursive: true })
  for (const file of packageFiles)
    copyFileSync(projectPath('scripts', 'tools', 'chdb', file), join(installFolder, file))
  // Not `npm ci`, which fails if a registry lacks the engine of another platform.
  const { code, output } = await runNpm(
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      captureOutput: true,
      cwd: installFolder,
    },
  )
  if (code !== 0) console.error(output.trim().split('\n').slice(-5).join('\n'))
  // npm skips the engine on platforms for which it does not exist.
  if (code !== 0 || !existsSync(join(installFolder, 'node_modules', '@chdb'))) return false
  writeStamp(stamp, fingerprint)
  return true
}

const url = (/** @type {number} */ port) => `http://${host}:${port}`

/**
 * Starts an empty ClickHouse engine for the tests; its data is discarded. Debian's clickhouse-server cannot be used: version
 * 18.16 has neither bound parameters nor the column types that we need. Undefined if the engine cannot be installed.
 * @returns {Promise<{ url: string, stop: () => Promise<void> } | undefined>}
 */
export const ensureClickHouse = async () => {
  const configuredUrl = process.env.TEST_CLICKHOUSE_URL
  if (configuredUrl) return { url: configuredUrl, stop: async () => {} }
  if (!(await ensureChdb())) {
    console.log(
      'chDB could not be installed. The tests of ClickHouse are skipped. Set TEST_CLICKHOUSE_URL to use an existing ClickHouse.',
    )
    return undefined
  }
  return startDaemon({
    title: 'ClickHouse (chDB)',
    path: process.execPath,
    startTimeoutSeconds: 60,
    url,
    buildArgs: (folder, port) => [
      ...['--import', 'tsx', projectPath('server', 'test', 'external', 'chdb-http-server.ts')],
      ...[installFolder, join(folder, 'data'), String(port)],
    ],
    isReady: (port) =>
      fetch(`${url(port)}/ping`).then(
        ({ ok }) => ok,
        () => false,
      ),
  })
}
