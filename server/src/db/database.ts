import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { Kysely, MysqlAdapter, MysqlDialect, SqliteDialect, SqliteDriver } from 'kysely'
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { createPool } from 'mysql2'
import type { SslOptions } from 'mysql2'
import { createBackgroundCheckpoints } from './background-checkpoints'
import { createBindValuesPlugin } from './bind-values'
import { attachQuery } from './errors'
import { foldText } from './text-folding'
import { createMysqlTimeouts, createPoolWithTimeouts } from './mysql-pool'
import type { Tables } from './schema'

export type DatabaseEngine = 'sqlite' | 'mysql'

export interface DatabaseOptions {
  /** MySQL only: encrypts connections with these certificates. */
  tls?: SslOptions
  /** MySQL only: the maximum size of the connection pool. */
  connectionLimit?: number
  /** MySQL only: how long to wait for a statement or a connection. If absent, there is no limit. */
  timeoutSeconds?: number
}

export interface Database {
  db: Kysely<Tables>
  engine: DatabaseEngine
  /** SQLite files only. Background work calls it after each slice, so that commits do not checkpoint in the main thread. */
  checkpoint?: () => Promise<void>
  close: () => Promise<void>
}

const BUSY_TIMEOUT_MS = 10_000

export const sqlitePathOfUrl = (url: string): string => {
  if (url === ':memory:' || url === 'file::memory:') return ':memory:'
  if (url.startsWith('file://')) return fileURLToPath(url)
  return resolve(url.replace(/^file:/, ''))
}

/** On a full disk SQLite ends the transaction itself. A further rollback would fail and hide the cause. */
class RollbackSafeDriver extends SqliteDriver {
  constructor(private readonly file: Sqlite.Database) {
    super({ database: file })
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.file.inTransaction) await super.rollbackTransaction(connection)
  }
}

class RollbackSafeDialect extends SqliteDialect {
  constructor(private readonly file: Sqlite.Database) {
    super({ database: file })
  }

  override createDriver(): Driver {
    return new RollbackSafeDriver(this.file)
  }
}

/** What `openDatabase` needs from SQLite or MySQL. */
interface EngineConnection {
  dialect: Dialect
  checkpoint?: () => Promise<void>
  /** Runs before Kysely closes the connections. */
  beforeClose?: () => Promise<void>
  closeFile?: () => void
}

const openSqlite = (path: string): EngineConnection => {
  if (path !== ':memory:' && !existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    // The file will hold password hashes and keys, so only its owner may read it. SQLite gives its WAL files the same mode.
    closeSync(openSync(path, 'a', 0o600))
  }
  const database = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS })
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
  const closeFile = () => void database.close()
  if (path === ':memory:') return { dialect, closeFile }
  const { checkpoint, close } = createBackgroundCheckpoints(database)
  return { dialect, checkpoint, beforeClose: close, closeFile }
}

/** Shorter than the statement timeout, so that the database reports a locked row before the statement is abandoned. */
const getLockWaitSeconds = (timeoutSeconds: number) => Math.max(1, Math.floor(timeoutSeconds / 2))

const openMysql = (url: string, { tls, connectionLimit = 10, timeoutSeconds }: DatabaseOptions): EngineConnection => {
  const { hostname, port, username, password, pathname } = new URL(url)
  const database = decodeURIComponent(pathname.slice(1))
  if (!database) throw new Error('A MySQL URL must end with the database name: mysql://user:password@host:3306/name')
  const pool = createPool({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port ? Number(port) : 3306,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database,
    ssl: tls,
    connectionLimit,
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    decimalNumbers: true,
    stringifyObjects: true,
    enableKeepAlive: true,
    keepAliveInitialDelay: 10_000,
    ...(timeoutSeconds === undefined ? {} : { connectTimeout: timeoutSeconds * 1000 }),
  })
  pool.on('connection', (connection) => {
    // UTC, so that CURRENT_TIMESTAMP means the same on both engines. The SQL mode replaces the server's: other modes may
    // read the driver's backslash escapes and quotes differently. Strict mode refuses values that are too long instead of
    // truncating them. A connection that rejects these settings is discarded.
    connection.query(
      "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'" +
        (timeoutSeconds === undefined ? '' : `, innodb_lock_wait_timeout = ${getLockWaitSeconds(timeoutSeconds)}`),
      (error) => {
        if (error) connection.destroy()
      },
    )
  })
  const managedPool =
    timeoutSeconds === undefined ? pool : createPoolWithTimeouts(pool, createMysqlTimeouts(timeoutSeconds))
  return { dialect: new MysqlDialect({ pool: managedPool }) }
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
  const { dialect, checkpoint, beforeClose, closeFile } =
    engine === 'mysql' ? openMysql(url, options) : openSqlite(sqlitePathOfUrl(url))
  const db = new Kysely<Tables>({
    dialect,
    plugins: [createBindValuesPlugin()],
    log: (event) => {
      if (event.level === 'error') attachQuery(event.error, event.query)
    },
  })
  const close = async () => {
    await beforeClose?.()
    await db.destroy()
    // Kysely closes only connections that were used.
    closeFile?.()
  }
  return { db, engine, ...(checkpoint ? { checkpoint } : {}), close }
}

/** The engine of an open database or transaction. */
export const engineOf = (db: Kysely<Tables>): DatabaseEngine =>
  db.getExecutor().adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite'
