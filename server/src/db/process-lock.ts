import { closeSync, existsSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { engineOfUrl, sqlitePathOfUrl } from './database'
import { Sqlite, type SqliteFile } from './sqlite-driver'

/** Another process uses the folder. */
export class FolderInUseError extends Error {
  constructor(readonly folder: string) {
    super(`${folder} is used by another process`)
  }
}

/** Another process uses the SQLite file. */
export class DatabaseInUseError extends Error {
  constructor(readonly file: string) {
    super(`${file} is used by another process`)
  }
}

export interface LockOptions {
  /** How long to wait for a process that is still shutting down. */
  timeoutMs: number
  /** Receives a message when the wait starts, and if the file system does not support locks. */
  warn: (message: string) => void
}

/** Releases a lock. With `removeFile`, also removes the lock file, if this lock has created it. */
export type ReleaseLock = (options?: { removeFile: boolean }) => void

/** Keeps a reference to each lock: a garbage-collected database would release it. */
const heldLocks = new Set<SqliteFile>()

const isBusy = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false

/**
 * Locks an empty file. The returned function releases the lock; the operating system releases it when the process ends,
 * even after a crash.
 */
const lockFile = (
  path: string,
  name: string,
  inUseError: () => Error,
  { timeoutMs, warn }: LockOptions,
): ReleaseLock => {
  const isNew = !existsSync(path)
  closeSync(openSync(path, 'a', 0o600))
  const database = new Sqlite(path, { timeout: 0 })
  const lock = () => database.exec('BEGIN EXCLUSIVE')
  const waitForLock = () => {
    warn(`${name} is used by another process. Waiting up to ${Math.ceil(timeoutMs / 1000)} seconds for it to stop.`)
    database.pragma(`busy_timeout = ${timeoutMs}`)
    lock()
  }
  try {
    try {
      lock()
    } catch (error) {
      if (!isBusy(error) || timeoutMs === 0) throw error
      waitForLock()
    }
  } catch (error) {
    database.close()
    if (isBusy(error)) throw inUseError()
    warn(`${name} cannot be locked: ${(error as Error).message}. Make sure that no other process uses it.`)
    return () => undefined
  }
  heldLocks.add(database)
  return ({ removeFile } = { removeFile: false }) => {
    heldLocks.delete(database)
    database.close()
    if (removeFile && isNew) rmSync(path, { force: true })
  }
}

/** Locks a folder for this process. Throws FolderInUseError. */
export const lockFolder = (folder: string, options: LockOptions): ReleaseLock =>
  lockFile(join(folder, 'lock'), folder, () => new FolderInUseError(folder), options)

const sqliteHeader = 'SQLite format 3\0'

const readHeader = (file: string): string => {
  const descriptor = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(sqliteHeader.length)
    return buffer.toString('latin1', 0, readSync(descriptor, buffer))
  } finally {
    closeSync(descriptor)
  }
}

/** Whether SQLite can use a path: it is missing, an empty file or a database. */
const isUsableFile = (path: string): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return !stats || (stats.isFile() && (stats.size === 0 || readHeader(path) === sqliteHeader))
}

/**
 * Locks a SQLite file for this process, because list counts, rate limits and schedules are in memory and a second process
 * would make them wrong. Does nothing for MySQL, which several processes may share. Throws DatabaseInUseError.
 */
export const lockDatabase = (url: string, options: LockOptions): ReleaseLock => {
  const path = engineOfUrl(url) === 'sqlite' ? sqlitePathOfUrl(url) : ':memory:'
  if (path === ':memory:') return () => undefined
  const file = existsSync(path) ? realpathSync(path) : path
  try {
    // Opening the database reports another file. No lock file should remain beside it.
    if (!isUsableFile(file)) return () => undefined
    return lockFile(`${file}.lock`, file, () => new DatabaseInUseError(file), options)
  } catch (error) {
    if (error instanceof DatabaseInUseError) throw error
    // Opening the database reports a folder that is not writable.
    return () => undefined
  }
}
