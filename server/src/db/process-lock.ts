import { closeSync, existsSync, openSync, realpathSync } from 'node:fs'
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
): (() => void) => {
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
  return () => {
    heldLocks.delete(database)
    database.close()
  }
}

/** Locks a folder for this process. Throws FolderInUseError. */
export const lockFolder = (folder: string, options: LockOptions): (() => void) =>
  lockFile(join(folder, 'lock'), folder, () => new FolderInUseError(folder), options)

/**
 * Locks a SQLite file for this process, because list counts, rate limits and schedules are in memory and a second process
 * would make them wrong. Does nothing for MySQL, which several processes may share. Throws DatabaseInUseError.
 */
export const lockDatabase = (url: string, options: LockOptions): (() => void) => {
  const path = engineOfUrl(url) === 'sqlite' ? sqlitePathOfUrl(url) : ':memory:'
  if (path === ':memory:') return () => undefined
  const file = existsSync(path) ? realpathSync(path) : path
  try {
    return lockFile(`${file}.lock`, file, () => new DatabaseInUseError(file), options)
  } catch (error) {
    if (error instanceof DatabaseInUseError) throw error
    // Opening the database reports a folder that is not writable.
    return () => undefined
  }
}
