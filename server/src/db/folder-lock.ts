import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite, { type Database } from 'better-sqlite3'

/** Another process uses the folder. */
export class FolderInUse extends Error {
  constructor(readonly folder: string) {
    super(`${folder} is used by another process`)
  }
}

/** Referenced, because a database that nothing refers to is closed, and its lock with it. */
const held = new Set<Database>()

const isBusy = (error: unknown): boolean => (error as { code?: string }).code?.startsWith('SQLITE_BUSY') ?? false

/**
 * Reserves a folder for this process until the returned function is called, or the process ends in whatever way: the lock belongs to
 * the operating system, and SQLite takes it on an empty file. Waits up to `timeoutMs` for a process that is still ending. Where the
 * file system has no locks, nothing is reserved, and `warn` is told so.
 */
export const lockFolder = (folder: string, timeoutMs: number, warn: (message: string) => void): (() => void) => {
  const path = join(folder, 'lock')
  closeSync(openSync(path, 'a', 0o600))
  const database = new Sqlite(path, { timeout: timeoutMs })
  try {
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) throw new FolderInUse(folder)
    warn(`${folder} cannot be locked: ${(error as Error).message}. Make sure that no other process uses it.`)
    return () => undefined
  }
  held.add(database)
  return () => {
    held.delete(database)
    database.close()
  }
}
