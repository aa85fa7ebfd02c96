import { existsSync, readFileSync } from 'node:fs'
import { deleteStamp, computeFingerprint, readStamp, writeStamp } from './fingerprint.mjs'
import { projectPath } from './paths.mjs'
import { runNode, runNpm } from './run.mjs'
import { sqliteDriver } from './sqlite-driver.mjs'

const stamp = projectPath('node_modules', '.trunkline-installed')

/**
 * The fingerprint of an installation's inputs. It includes Node's ABI, because an addon compiled for one ABI does not
 * load in another.
 */
const computeInstallFingerprint = () =>
  computeFingerprint(
    ['package-lock.json', 'package.json', 'contract/package.json', 'server/package.json', 'console/package.json'],
    [process.platform, process.arch, process.versions.modules],
  )

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, peer?: boolean, os?: string[], cpu?: string[] }} LockedPackage */

/** @param {string} file @returns {Record<string, LockedPackage>} */
const readLockedPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}

/**
 * Returns whether node_modules matches the lockfile. Compares with npm's own record, because a user may have run npm.
 */
const matchesLockfile = () => {
  const installedLockfile = projectPath('node_modules', '.package-lock.json')
  if (!existsSync(installedLockfile)) return false
  const installedPackages = readLockedPackages(installedLockfile)
  return Object.entries(readLockedPackages(projectPath('package-lock.json'))).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true
    const installed = installedPackages[path]
    return installed
      ? installed.version === entry.version
      : Boolean(entry.optional || entry.peer || entry.os || entry.cpu)
  })
}

/**
 * Opens an in-memory database in a separate process. The driver is the only compiled dependency, which can be present
 * and still not load.
 */
const loadSqlite = async () => {
  const probe = `new (require('${sqliteDriver}'))(':memory:').close()`
  const { code, output } = await runNode(['-e', probe], { captureOutput: true, cwd: projectPath('server') })
  return { ok: code === 0, output }
}

/** Compiles or downloads the addon if npm skipped install scripts, or if it is for another Node version. */
const ensureSqliteDriver = async () => {
  if ((await loadSqlite()).ok) return
  console.log('Preparing the SQLite driver…')
  const rebuild = await runNpm(['rebuild', sqliteDriver, '--ignore-scripts=false'], { captureOutput: true })
  const secondLoad = await loadSqlite()
  if (secondLoad.ok) return
  console.error(rebuild.output.trim())
  console.error(secondLoad.output.trim().split('\n').slice(0, 8).join('\n'))
  throw new Error(
    'The SQLite driver (better-sqlite3) could not be prepared: npm could neither download nor compile it. Install python3, make and a C++ compiler, then run this command again.',
  )
}

/**
 * Installs the dependencies from the lockfile unless they are up to date. Prints its steps.
 */
export const ensureInstalled = async () => {
  const hash = computeInstallFingerprint()
  if (readStamp(stamp) === hash) return
  if (!matchesLockfile()) {
    deleteStamp(stamp)
    console.log('Installing dependencies…')
    // Build tools are development dependencies: NODE_ENV=production must not skip them.
    const { code, output } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      captureOutput: true,
    })
    if (code !== 0) {
      console.error(output.trim())
      throw new Error(
        'The dependencies could not be installed (npm ci failed, see above). Check the network and try again.',
      )
    }
  }
  await ensureSqliteDriver()
  writeStamp(stamp, hash)
}
