import { statfs } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from './repository'

/** What the server needs to work, and whether it has it. */
export interface Readiness {
  /** The database takes a write. */
  database: boolean
  /** The file system of the data folder has room. */
  storage: boolean
}

/** Free bytes below which the data folder counts as full: enough for SQLite to go on while somebody frees some. */
const minFreeBytes = 16 * 1024 * 1024
/** A database that hangs answers nothing, and a probe has to be answered. */
const timeoutMs = 5000
/** Anybody may ask, so not every question becomes a write. */
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

/** Finds out whether the server can do its work: reading alone does not show a full disk or a read-only database. */
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
