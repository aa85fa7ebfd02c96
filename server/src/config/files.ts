import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A setting is invalid. The message is for the operator. */
export class ConfigError extends Error {}

/** Creates a folder and its parents. `mkdirSync` with `recursive` never returns on file systems such as /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    return
  }
  makeFolder(dirname(folder))
  // Only the owner may read it.
  mkdirSync(folder, { mode: 0o700 })
}

/** Creates a data folder if it is missing. Throws ConfigError with the name of the setting. */
export const ensureFolder = (setting: string, path: string): string => {
  const folder = resolve(path)
  try {
    makeFolder(folder)
  } catch (error) {
    throw new ConfigError(
      `${setting} ${folder} cannot be used (${(error as NodeJS.ErrnoException).code}). Make it writable, or choose another folder.`,
    )
  }
  return folder
}

/** Creates the folder of a SQLite file. */
export const ensureDatabaseFolder = (url: string | undefined): void => {
  if (!url || /^(mysql|mariadb):|:memory:$/.test(url)) return
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '')
  ensureFolder('The folder of DATABASE_URL', dirname(resolve(path)))
}

/** Writes to a temporary file first, so that a full disk cannot leave an incomplete secret. */
const writeSecret = (file: string): void => {
  const temporaryFile = `${file}.${process.pid}`
  try {
    writeFileSync(temporaryFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    // A link never overwrites a file that another process has just created. Some file systems have no links.
    try {
      linkSync(temporaryFile, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(temporaryFile, file)
    }
  } finally {
    rmSync(temporaryFile, { force: true })
  }
}

/** Reads a secret from the data folder; empty if it does not exist. */
export const readSecretIfPresent = (folder: string, name: string): string => {
  const file = join(folder, name)
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return ''
    throw new ConfigError(`${file} cannot be read (${code}). Run this command as the user of the server.`)
  }
}

/** Reads a secret from the data folder. The first start creates it, readable only by its owner. */
export const readOrCreateSecret = (folder: string, name: string): string => {
  const file = join(folder, name)
  const readSecret = () => readFileSync(file, 'utf8').trim()
  try {
    if (!existsSync(file)) writeSecret(file)
    const secret = readSecret()
    if (secret) return secret
    throw new ConfigError(`${file} is empty. Restore it from a backup, or delete it to create a new secret.`)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `DATA_DIR ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}). Make it writable, free some disk space, or choose another folder.`,
    )
  }
}
