import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Kysely, MysqlAdapter, MysqlDialect, SqliteDialect, SqliteDriver } from 'kysely'
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import type { SslOptions } from 'mysql2'
import { createBackgroundCheckpoints } from './background-checkpoints'
import { attachQuery } from './errors'
import { keepStatements } from './sqlite-statements'
import { foldText } from './text-folding'
import type { Tables } from './schema'
import { Sqlite, type SqliteFile } from './sqlite-driver'
import { createMysqlTableVersions, createSqliteTableVersions, type TableVersions } from './table-versions'

export type DatabaseEngine = 'sqlite' | 'mysql'

/** A statement that has ended. */
export interface EndedStatement {
  /** The SQL with placeholders. */
  text: string
  engine: DatabaseEngine
  durationMs: number
  /** Absent if the statement has succeeded. */
  error?: unknown
}

export interface DatabaseOptions {
  /** MySQL only: encrypts connections with these certificates. */
  tls?: SslOptions
  /** MySQL only: the maximum size of the connection pool. */
  connectionLimit?: number
  /** MySQL only: how long to wait for a statement or a connection. If absent, there is no limit. */
  timeoutSeconds?: number
  /** `:memory:` only: the content of a database file to start from. */
  initialContent?: Buffer | undefined
  /** Observes every statement. */
  onStatement?: ((statement: EndedStatement) => void) | undefined
}

export interface Database {
  db: Kysely<Tables>
  engine: DatabaseEngine
  /** Tells whether tables have changed. */
  tableVersions: TableVersions
  /** SQLite files only. Background work calls it after each slice, so that commits do not checkpoint in the main thread. */
  checkpointWal?: () => Promise<void>
  close: () => Promise<void>
}

const busyTimeoutMs = 10_000

export const sqlitePathOfUrl = (url: string): string => {
  if (url === ':memory:' || url === 'file::memory:') return ':memory:'
  if (url.startsWith('file://')) return fileURLToPath(url)
  return resolve(url.replace(/^file:/, ''))
}

/** On a full disk SQLite ends the transaction itself. A further rollback would fail and hide the cause. */
class RollbackSafeDriver extends SqliteDriver {
  constructor(private readonly file: SqliteFile) {
    super({ database: keepStatements(file) })
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.file.inTransaction) await super.rollbackTransaction(connection)
  }
}

class RollbackSafeDialect extends SqliteDialect {
  constructor(private readonly file: SqliteFile) {
    super({ database: file })
  }

  override createDriver(): Driver {
    return new RollbackSafeDriver(this.file)
  }
}

/** What `openDatabase` needs from SQLite or MySQL. */
interface EngineConnection {
  dialect: Dialect
  createTableVersions: (db: Kysely<Tables>) => TableVersions
  checkpointWal?: () => Promise<void>
  /** Runs before Kysely closes the connections. */
  beforeClose?: () => Promise<void>
  closeFile?: () => void
}

const openSqlite = (path: string, { initialContent }: DatabaseOptions): EngineConnection => {
  if (path !== ':memory:' && !existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    // The file will hold password hashes and keys, so only its owner may read it. SQLite gives its WAL files the same mode.
    closeSync(openSync(path, 'a', 0o600))
  }
  const database = new Sqlite(initialContent ?? path, { timeout: busyTimeoutMs })
  database.pragma('journal_mode = WAL')
  // In WAL mode, levels below FULL can lose committed writes in a power failure.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  // 64 MiB, allocated on demand. Indexes of a million call records are written much faster from memory.
  database.pragma('cache_size = -65536')
  // MySQL has this function; queries use it on both engines.
  database.function('lcase', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? foldText(text) : text,
  )
  const dialect = new RollbackSafeDialect(database)
  const connection = {
    dialect,
    createTableVersions: (db: Kysely<Tables>) => createSqliteTableVersions(database, db),
    closeFile: () => void database.close(),
  }
  if (path === ':memory:') return connection
  const { checkpointWal, close } = createBackgroundCheckpoints(database)
  return { ...connection, checkpointWal, beforeClose: close }
}

const openMysql = (url: string, options: DatabaseOptions): EngineConnection => {
  const parsedUrl = new URL(url)
  const database = decodeURIComponent(parsedUrl.pathname.slice(1))
  if (!database) throw new Error('A MySQL URL must end with the database name: mysql://user:password@host:3306/name')
  return {
    dialect: new MysqlDialect({
      // Imported on demand, because an installation on SQLite needs no driver for MySQL.
      pool: async () => (await import('./mysql-connections')).createMysqlPool(parsedUrl, database, options),
    }),
    createTableVersions: createMysqlTableVersions,
  }
}

/** The engine that a database URL selects. */
export const engineOfUrl = (url: string): DatabaseEngine => (/^(mysql|mariadb):\/\//.test(url) ? 'mysql' : 'sqlite')

/** Opens `file:PATH`, a path or `:memory:` with SQLite; `mysql://user:password@host:port/name` with MySQL or MariaDB. */
export const openDatabase = (url: string, options: DatabaseOptions = {}): Database => {
  const engine = engineOfUrl(url)
  if (engine === 'sqlite' && /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(url)) {
    // The URL may contain a password, so the message repeats only the scheme.
    throw new Error(`A database URL must start with file: or mysql://, not with ${url.split('//')[0]}//`)
  }
  const { dialect, createTableVersions, checkpointWal, beforeClose, closeFile } =
    engine === 'mysql' ? openMysql(url, options) : openSqlite(sqlitePathOfUrl(url), options)
  const db = new Kysely<Tables>({
    dialect,
    log: (event) => {
      const hasFailed = event.level === 'error'
      if (hasFailed) attachQuery(event.error, event.query)
      options.onStatement?.({
        text: event.query.sql,
        engine,
        durationMs: event.queryDurationMillis,
        ...(hasFailed ? { error: event.error } : {}),
      })
    },
  })
  const close = async () => {
    await beforeClose?.()
    await db.destroy()
    // Kysely closes only connections that were used.
    closeFile?.()
  }
  return { db, engine, tableVersions: createTableVersions(db), ...(checkpointWal ? { checkpointWal } : {}), close }
}

/** The engine of an open database or transaction. */
export const engineOf = (db: Kysely<Tables>): DatabaseEngine =>
  db.getExecutor().adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite'
