import { statfs } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from './repository'

/** Whether the server's dependencies work. */
export interface Readiness {
  /** The database accepts a write. */
  database: boolean
  /** The file system of the data folder has free space. */
  storage: boolean
}

/** With less free space the data folder counts as full. SQLite can still work with it while an operator frees space. */
export const minFreeBytes = 16 * 1024 * 1024
/** The probe has to respond even if the database hangs. */
const checkTimeoutMs = 5000
/** The probe needs no credential, so not every request may cause a write. */
const cacheLifetimeMs = 2000

const readFreeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const succeedsInTime = (check: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    delay(checkTimeoutMs, false, { ref: false }),
  ])

/** Returns a check of the server's dependencies. It writes, because reading does not detect a full disk or a read-only database. */
export const createReadinessCheck = (
  { database: { db, engine } }: Store,
  dataDir: string,
  readFreeBytesOf = readFreeBytes,
) => {
  let lastCheck: { atMs: number; result: Promise<Readiness> } | undefined

  const writeToDatabase = () => {
    const seconds = Math.floor(Date.now() / 1000)
    const update =
      engine === 'sqlite'
        ? sql`on conflict (name) do update set reached = ${seconds}`
        : sql`on duplicate key update reached = ${seconds}`
    return sql`insert into trunkline_progress (name, reached) values ('readiness', ${seconds}) ${update}`.execute(db)
  }

  const checkFreeSpace = async () => {
    if ((await readFreeBytesOf(dataDir)) < minFreeBytes) throw new Error('full')
  }

  const check = async (): Promise<Readiness> => {
    const [isDatabaseReady, isStorageReady] = await Promise.all([
      succeedsInTime(writeToDatabase()),
      succeedsInTime(checkFreeSpace()),
    ])
    return { database: isDatabaseReady, storage: isStorageReady }
  }

  return (): Promise<Readiness> => {
    const now = performance.now()
    if (!lastCheck || now - lastCheck.atMs > cacheLifetimeMs) lastCheck = { atMs: now, result: check() }
    return lastCheck.result
  }
}
