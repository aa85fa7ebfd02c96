import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A setting that cannot be used, told to the operator as one sentence. */
export class ConfigError extends Error {}

/** Makes a folder and those above it. Not by `recursive`: that never returns where a file system makes no folders, as /proc. */
const makeFolder = (folder: string): void => {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    return
  }
  makeFolder(dirname(folder))
  // Only its owner may look inside.
  mkdirSync(folder, { mode: 0o700 })
}

/** A folder for what is kept, made when absent; the setting that named it is told when that cannot be. */
export const ensureFolder = (setting: string, path: string): string => {
  const folder = resolve(path)
  try {
    makeFolder(folder)
  } catch (error) {
    throw new ConfigError(
      `${setting} ${folder} cannot be used (${(error as NodeJS.ErrnoException).code}). Make it writable or choose another.`,
    )
  }
  return folder
}

/** The folder of an SQLite file. */
export const ensureDatabaseFolder = (url: string | undefined): void => {
  if (!url || /^(mysql|mariadb):|:memory:$/.test(url)) return
  const path = url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '')
  ensureFolder('The folder of DATABASE_URL', dirname(resolve(path)))
}

/** Writes a new secret beside its place and moves it there whole: a full disk must not leave half of one behind. */
const writeSecret = (file: string): void => {
  const draft = `${file}.${process.pid}`
  try {
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    // A link refuses to replace what another process has just put there; not every file system has links.
    try {
      linkSync(draft, file)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** A secret kept in the data folder, made on the first start and readable by its owner alone. */
export const readOrCreateSecret = (folder: string, name: string): string => {
  const file = join(folder, name)
  const read = () => readFileSync(file, 'utf8').trim()
  try {
    if (!existsSync(file)) writeSecret(file)
    const secret = read()
    if (secret) return secret
    throw new ConfigError(`${file} is empty. Restore it from a backup, or delete it and a new one is made.`)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(
      `DATA_DIR ${folder} cannot be written (${(error as NodeJS.ErrnoException).code}). Make it writable, free some space, or choose another.`,
    )
  }
}
