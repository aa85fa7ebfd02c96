import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectPath } from './paths.mjs'
import { loadSqliteDriver } from './sqlite-driver.mjs'

/**
 * Returns the only argument of a command, the name of a backup. Otherwise prints the usage and returns undefined: an option
 * must not become the name of a folder.
 * @param {string[]} args
 * @param {string} usage
 * @returns {string | undefined}
 */
export const readBackupName = (args, usage) => {
  const [name] = args
  if (name && args.length === 1 && !name.startsWith('-')) return name
  const isHelp = args.includes('--help') || args.includes('-h')
  if (isHelp) console.log(usage)
  else console.error(usage)
  process.exitCode = isHelp ? 0 : 1
  return undefined
}

/** A backup or its restoration failed. The message contains the reason and the remedy. */
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
 * Where a server with these settings keeps its data.
 * @typedef {object} Installation
 * @property {string} database the SQLite file
 * @property {string} dataDir
 */

/**
 * @param {Record<string, string | undefined>} environment
 * @param {string} folder the base of relative paths
 * @returns {Installation}
 */
export const getInstallation = (environment, folder) => ({
  database: getDatabaseFile(environment, folder),
  dataDir: resolve(folder, environment.DATA_DIR || './data'),
})

/** Throws BackupError if a database is damaged. @param {string} file @param {string} remedy */
const checkDatabase = (file, remedy) => {
  const Database = loadSqliteDriver()
  const database = new Database(file, { readonly: true })
  try {
    const problems = database.pragma('quick_check', { simple: true })
    if (problems !== 'ok') throw new BackupError(`${file} is damaged (${problems}). ${remedy}`)
  } finally {
    database.close()
  }
}

/**
 * Copies a database, which a server may be using, to a new file: consistent, compact, and readable by its owner only.
 * @param {string} source
 * @param {string} target
 */
export const backUp = (source, target) => {
  if (!existsSync(source)) throw new BackupError(`The database ${source} does not exist. Set DATA_DIR or DATABASE_URL.`)
  if (existsSync(target)) throw new BackupError(`${target} already exists. Choose a new file.`)
  const Database = loadSqliteDriver()
  // SQLite would create a file that everyone can read, so this fills an empty file with the right mode.
  closeSync(openSync(target, 'wx', 0o600))
  try {
    const database = new Database(source, { fileMustExist: true, timeout: 60_000 })
    try {
      database.prepare('vacuum into ?').run(target)
    } finally {
      database.close()
    }
    checkDatabase(target, 'Check the disk and the database.')
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  }
}

/** The database's name in a backup, whatever it is called on the server. */
const databaseName = 'trunkline.sqlite'
const secretNames = ['jwt-secret', 'encryption-secret']
/**
 * The folders of recordings, in the order in which a recording passes through them: one that moves on during the copy is
 * found again. Unfinished uploads of clients are left out, because the clients send them again.
 */
const recordingFolders = ['coming', 'waiting', 'kept']

/**
 * Copies a folder. Files that the server moves or deletes meanwhile are left out.
 * @param {string} source
 * @param {string} target
 */
const copyFolder = (source, target) => {
  if (!existsSync(source)) return
  mkdirSync(target, { recursive: true, mode: 0o700 })
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (entry.isDirectory()) copyFolder(from, to)
    else if (entry.isFile()) copyFile(from, to)
  }
}

/** @param {string} source @param {string} target */
const copyFile = (source, target) => {
  try {
    copyFileSync(source, target)
    chmodSync(target, 0o600)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error
  }
}

/**
 * Copies everything that a server needs to start again: its database, the generated secrets and the recordings. The
 * server may run. The folder appears once it is complete.
 * @param {Installation} installation
 * @param {string} target a new folder
 */
export const backUpInstallation = ({ database, dataDir }, target) => {
  if (existsSync(target)) throw new BackupError(`${target} already exists. Choose a new folder.`)
  const incompleteFolder = `${target}.incomplete`
  rmSync(incompleteFolder, { recursive: true, force: true })
  mkdirSync(incompleteFolder, { recursive: true, mode: 0o700 })
  try {
    backUp(database, join(incompleteFolder, databaseName))
    for (const name of secretNames) copyFile(join(dataDir, name), join(incompleteFolder, name))
    // After the database, so that no recording that the database lists is missing.
    for (const name of recordingFolders)
      copyFolder(join(dataDir, 'recordings', name), join(incompleteFolder, 'recordings', name))
    renameSync(incompleteFolder, target)
  } catch (error) {
    rmSync(incompleteFolder, { recursive: true, force: true })
    throw error
  }
}

/**
 * Locks a file as the server does, so that neither starts during the work of the other.
 * @param {string} file
 * @returns {() => void} releases the lock
 */
const lock = (file) => {
  const Database = loadSqliteDriver()
  closeSync(openSync(file, 'a', 0o600))
  const database = new Database(file, { timeout: 0 })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (/^SQLITE_BUSY/.test(String(/** @type {{ code?: string }} */ (error).code)))
      throw new BackupError('The server is running. Stop it first.')
    throw error
  }
  return () => void database.close()
}

/**
 * Moves a file or folder into another folder, if it exists.
 * @param {string} path
 * @param {string} folder
 */
const moveInto = (path, folder) => {
  if (!existsSync(path)) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  renameSync(path, join(folder, basename(path)))
}

/**
 * Replaces the data of a stopped server by a backup: a folder of `backUpInstallation`, or a copy of the database alone.
 * Nothing is deleted: the previous data is moved to a new folder in the folders that it is in.
 * @param {string} backup
 * @param {Installation} installation
 * @param {string} previousName the name of the folder for the previous data
 */
export const restoreInstallation = (backup, { database, dataDir }, previousName) => {
  if (!existsSync(backup)) throw new BackupError(`The backup ${backup} does not exist.`)
  const isFolder = statSync(backup).isDirectory()
  const copy = isFolder ? join(backup, databaseName) : backup
  if (!existsSync(copy)) throw new BackupError(`${backup} is not a backup: it contains no ${databaseName}.`)
  checkDatabase(copy, 'Restore another backup.')
  mkdirSync(dirname(database), { recursive: true, mode: 0o700 })
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const releases = [lock(join(dataDir, 'lock')), lock(`${database}.lock`)]
  try {
    for (const suffix of ['', '-wal', '-shm']) moveInto(`${database}${suffix}`, join(dirname(database), previousName))
    copyFileSync(copy, database)
    chmodSync(database, 0o600)
    if (!isFolder) return
    for (const name of [...secretNames, 'recordings']) {
      // A server with its own JWT_SECRET has no file for it, neither here nor in the backup.
      if (existsSync(join(backup, name))) moveInto(join(dataDir, name), join(dataDir, previousName))
    }
    for (const name of secretNames) copyFile(join(backup, name), join(dataDir, name))
    copyFolder(join(backup, 'recordings'), join(dataDir, 'recordings'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`${reason}. The previous data is in ${join(dataDir, previousName)}: move it back.`)
  } finally {
    for (const release of releases) release()
  }
}
