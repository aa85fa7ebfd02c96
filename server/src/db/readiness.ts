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

/** Below this the data folder counts as full. SQLite can still work with so much, while an operator frees space. */
const minFreeBytes = 16 * 1024 * 1024
/** The probe has to respond even if the database hangs. */
const timeoutMs = 5000
/** The probe needs no credential, so not every request may cause a write. */
const cacheMs = 2000

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const succeeds = (check: Promise<unknown>): Promise<boolean> =>
  Promise.race([
    check.then(
      () => true,
      () => false,
    ),
    delay(timeoutMs, false, { ref: false }),
  ])

/** Returns a check of the server's dependencies. It writes, because reading does not detect a full disk or a read-only database. */
export const readiness = ({ database: { db, engine } }: Store, dataDir: string, freeBytesOf = freeBytes) => {
  let cached: { atMs: number; result: Promise<Readiness> } | undefined

  const writeProbe = () => {
    const seconds = Math.floor(Date.now() / 1000)
    const update =
      engine === 'sqlite'
        ? sql`on conflict (name) do update set reached = ${seconds}`
        : sql`on duplicate key update reached = ${seconds}`
    return sql`insert into trunkline_progress (name, reached) values ('readiness', ${seconds}) ${update}`.execute(db)
  }

  const hasRoom = async () => {
    if ((await freeBytesOf(dataDir)) < minFreeBytes) throw new Error('full')
  }

  const check = async (): Promise<Readiness> => {
    const [database, storage] = await Promise.all([succeeds(writeProbe()), succeeds(hasRoom())])
    return { database, storage }
  }

  return (): Promise<Readiness> => {
    const now = performance.now()
    if (!cached || now - cached.atMs > cacheMs) cached = { atMs: now, result: check() }
    return cached.result
  }
}
