import { existsSync, readFileSync } from 'node:fs'
import { dropStamp, fingerprint, readStamp, writeStamp } from './fingerprint.mjs'
import { at } from './paths.mjs'
import { runNode, runNpm } from './run.mjs'

const stamp = at('node_modules', '.trunkline-installed')

/** What an installation depends on. The ABI is in it: a compiled addon of one Node line does not load in another. */
const wanted = () =>
  fingerprint(
    ['package-lock.json', 'package.json', 'contract/package.json', 'server/package.json', 'console/package.json'],
    [process.platform, process.arch, process.versions.modules],
  )

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, peer?: boolean, os?: string[], cpu?: string[] }} Locked */

/** @param {string} file @returns {Record<string, Locked>} */
const lockedPackages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}

/** Whether node_modules already holds what the lockfile asks for, as npm itself noted it: someone may have run npm by hand. */
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

/** Opens a database in memory in a process of its own: the one dependency that is compiled, and that can be there yet broken. */
const sqliteLoads = async () => {
  const probe = "new (require('better-sqlite3'))(':memory:').close()"
  const { code, output } = await runNode(['-e', probe], { quiet: true, cwd: at('server') })
  return { ok: code === 0, output }
}

/** Compiles or fetches the addon when npm was told to skip install scripts, or kept one made for another Node. */
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

/** Installs the dependencies from the lockfile, unless they are there already. Says what it does; silent when there is nothing to do. */
export const ensureInstalled = async () => {
  const value = wanted()
  if (readStamp(stamp) === value) return
  if (!holdsTheLock()) {
    dropStamp(stamp)
    console.log('Installing dependencies…')
    // Build tools are development dependencies: an environment with NODE_ENV=production must not lose them.
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
