import { statfs } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { inspectDatabase } from './migrate'
import { UnsuitableDatabaseError } from './platform-check'
import type { Store } from './repository'
import type { Tables } from './schema'

/** Whether the server's dependencies work. */
export interface Readiness {
  /** The database accepts a write. */
  database: boolean
  /** The file system of the data folder has free space. */
  storage: boolean
  /** The database has all tables and columns, and their collations can be compared. */
  schema: boolean
}

/** With less free space the data folder counts as full. SQLite can still work with it while an operator frees space. */
export const minFreeBytes = 16 * 1024 * 1024
/** The probe has to respond even if the database hangs. */
const checkTimeoutMs = 5000
/** The probe needs no credential, so not every request may cause a write. */
const cacheLifetimeMs = 2000
/** Tables change rarely, and an inspection reads all their columns. */
const schemaLifetimeMs = 30_000

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

/** Whether this server can use the tables. True if the database does not respond, because that is not their fault. */
const hasUsableSchema = async (db: Kysely<Tables>): Promise<boolean> => {
  try {
    return (await inspectDatabase(db)).mismatchedTables.length === 0
  } catch (error) {
    return !(error instanceof UnsuitableDatabaseError)
  }
}

/** Returns a function that repeats a check only after its last result is older than `lifetimeMs`. */
const cacheFor = <Result>(lifetimeMs: number, check: () => Promise<Result>): (() => Promise<Result>) => {
  let lastCheck: { atMs: number; result: Promise<Result> } | undefined
  return () => {
    const now = performance.now()
    if (!lastCheck || now - lastCheck.atMs > lifetimeMs) lastCheck = { atMs: now, result: check() }
    return lastCheck.result
  }
}

/** Returns a check of the server's dependencies. It writes, because reading does not detect a full disk or a read-only database. */
export const createReadinessCheck = (
  { database: { db, engine } }: Store,
  dataDir: string,
  readFreeBytesOf = readFreeBytes,
) => {
  const checkSchema = cacheFor(schemaLifetimeMs, () => hasUsableSchema(db))

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

  return cacheFor(cacheLifetimeMs, async (): Promise<Readiness> => {
    const [isDatabaseReady, isStorageReady, isSchemaUsable] = await Promise.all([
      succeedsInTime(writeToDatabase()),
      succeedsInTime(checkFreeSpace()),
      Promise.race([checkSchema(), delay(checkTimeoutMs, true, { ref: false })]),
    ])
    return { database: isDatabaseReady, storage: isStorageReady, schema: isSchemaUsable }
  })
}
