import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectPath } from './paths.mjs'

/** A backup failed. The message contains the reason and the remedy. */
export class BackupError extends Error {}

/**
 * Returns the SQLite file that a server with these settings uses.
 * @param {Record<string, string | undefined>} environment
 * @param {string} folder the base of relative paths
 * @returns {string}
 */
export const getDatabaseFile = ({ DATABASE_URL: url, DATA_DIR, JAMBONES_MYSQL_HOST }, folder) => {
  if (/^(mysql|mariadb):/i.test(url ?? '') || (!url && JAMBONES_MYSQL_HOST))
    throw new BackupError(
      'This server uses MySQL or MariaDB. Back it up with: mariadb-dump --single-transaction --databases NAME',
    )
  if (!url) return resolve(folder, DATA_DIR || './data', 'trunkline.sqlite')
  return url.startsWith('file://') ? fileURLToPath(url) : resolve(folder, url.replace(/^(file|sqlite):/, ''))
}

/**
 * Copies a database, which a server may be using, to a new file: consistent, compact, and readable by its owner only.
 * @param {string} source
 * @param {string} target
 */
export const backUp = (source, target) => {
  if (!existsSync(source)) throw new BackupError(`The database ${source} does not exist. Set DATA_DIR or DATABASE_URL.`)
  if (existsSync(target)) throw new BackupError(`${target} already exists. Choose a new file.`)
  /** @type {typeof import('better-sqlite3')} */
  const Database = createRequire(projectPath('server', 'package.json'))('better-sqlite3')
  // SQLite would create a file that everyone can read, so this fills an empty file with the right mode.
  closeSync(openSync(target, 'wx', 0o600))
  try {
    const database = new Database(source, { fileMustExist: true, timeout: 60_000 })
    try {
      database.prepare('vacuum into ?').run(target)
    } finally {
      database.close()
    }
    const copy = new Database(target, { readonly: true })
    try {
      const problems = copy.pragma('quick_check', { simple: true })
      if (problems !== 'ok')
        throw new BackupError(`The copy is damaged (${problems}). Check the disk and the database.`)
    } finally {
      copy.close()
    }
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  }
}
