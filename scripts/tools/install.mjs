import { existsSync, readFileSync } from 'node:fs'
import { dropStamp, fingerprint, readStamp, writeStamp } from './fingerprint.mjs'
import { at } from './paths.mjs'
import { runNode, runNpm } from './run.mjs'

const stamp = at('node_modules', '.trunkline-installed')

/**
 * The fingerprint of an installation's inputs. It includes the ABI, because an addon compiled for one Node line does
 * not load in another.
 */
const wanted = () =>
  fingerprint(
    ['package-lock.json', 'package.json', 'contract/package.json', 'server/package.json', 'console/package.json'],
    [process.platform, process.arch, process.versions.modules],
  )

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, peer?: boolean, os?: string[], cpu?: string[] }} Locked */

/** @param {string} file @returns {Record<string, Locked>} */
const lockedPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}

/**
 * Returns whether node_modules matches the lockfile according to npm's own record, because someone may have run npm by
 * hand.
 */
const holdsTheLock = () => {
  const noted = at('node_modules', '.package-lock.json')
  if (!existsSync(noted)) return false
  const there = lockedPackages(noted)
  return Object.entries(lockedPackages(at('package-lock.json'))).every(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return true
    const found = there[path]
    return found ? found.version === entry.version : Boolean(entry.optional || entry.peer || entry.os || entry.cpu)
  })
}

/**
 * Opens an in-memory database in a separate process. The driver is the only compiled dependency, which can be present
 * and still not load.
 */
const sqliteLoads = async () => {
  const probe = "new (require('better-sqlite3'))(':memory:').close()"
  const { code, output } = await runNode(['-e', probe], { quiet: true, cwd: at('server') })
  return { ok: code === 0, output }
}

/** Compiles or downloads the addon if npm skipped install scripts or kept one for another Node version. */
const mendSqlite = async () => {
  if ((await sqliteLoads()).ok) return
  console.log('Preparing the SQLite driver…')
  const rebuilt = await runNpm(['rebuild', 'better-sqlite3', '--ignore-scripts=false'], { quiet: true })
  const after = await sqliteLoads()
  if (after.ok) return
  console.error(rebuilt.output.trim())
  console.error(after.output.trim().split('\n').slice(0, 8).join('\n'))
  throw new Error(
    'The SQLite driver (better-sqlite3) could not be prepared: neither its prebuilt file nor a compiler could be had. Install python3, make and a C++ compiler, then run this command again.',
  )
}

/**
 * Installs the dependencies from the lockfile unless they are up to date. Prints its steps, or nothing if there are
 * none.
 */
export const ensureInstalled = async () => {
  const value = wanted()
  if (readStamp(stamp) === value) return
  if (!holdsTheLock()) {
    dropStamp(stamp)
    console.log('Installing dependencies…')
    // Build tools are development dependencies: NODE_ENV=production must not skip them.
    const { code, output } = await runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      quiet: true,
    })
    if (code !== 0) {
      console.error(output.trim())
      throw new Error(
        'The dependencies could not be installed (npm ci failed, see above). Check the network and try again.',
      )
    }
  }
  await mendSqlite()
  writeStamp(stamp, value)
}
