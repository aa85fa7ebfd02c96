import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import { Kysely, MysqlAdapter, MysqlDialect, SqliteDialect, SqliteDriver } from 'kysely'
import type { DatabaseConnection, Dialect, Driver } from 'kysely'
import { createPool } from 'mysql2'
import type { SslOptions } from 'mysql2'
import { bindValuesPlugin } from './bind-values'
import { attachQuery } from './errors'
import { foldText } from './text-folding'
import { mysqlTimeouts, poolWithTimeouts } from './mysql-pool'
import type { Tables } from './schema'

export type Engine = 'sqlite' | 'mysql'

export interface DatabaseOptions {
  /** MySQL only: encrypt the connection, with these certificates. */
  tls?: SslOptions
  /** MySQL only: how many connections the pool may open. */
  connectionLimit?: number
  /** MySQL only: how long a statement, or a request for a connection, may go without an answer. Absent: for ever. */
  timeoutSeconds?: number
}

export interface Database {
  db: Kysely<Tables>
  engine: Engine
  close: () => Promise<void>
}

const BUSY_MS = 10_000

export const sqlitePath = (url: string): string => {
  if (url === ':memory:' || url === 'file::memory:') return ':memory:'
  if (url.startsWith('file://')) return fileURLToPath(url)
  return resolve(url.replace(/^file:/, ''))
}

/** On a full disk SQLite itself ends the transaction. Rolling back what is gone would put another error over the cause. */
class LenientDriver extends SqliteDriver {
  constructor(private readonly file: Sqlite.Database) {
    super({ database: file })
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.file.inTransaction) await super.rollbackTransaction(connection)
  }
}

class LenientDialect extends SqliteDialect {
  constructor(private readonly file: Sqlite.Database) {
    super({ database: file })
  }

  override createDriver(): Driver {
    return new LenientDriver(this.file)
  }
}

interface EngineConnection {
  dialect: Dialect
  closeFile: () => void
}

const openSqlite = (path: string): EngineConnection => {
  if (path !== ':memory:' && !existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true })
    // It will hold password hashes and keys: nobody but the owner reads it. SQLite gives its side files the same mode.
    closeSync(openSync(path, 'a', 0o600))
  }
  const database = new Sqlite(path, { timeout: BUSY_MS })
  database.pragma('journal_mode = WAL')
  // In WAL mode anything less than FULL may forget the last answered writes when the power goes.
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  // KiB, used as far as there is something to hold: indexes of a million call records are written much faster from memory.
  database.pragma('cache_size = -65536')
  database.function('lcase', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? foldText(text) : text,
  )
  return { dialect: new LenientDialect(database), closeFile: () => void database.close() }
}

/** Below the time after which a statement is given up, so that the database says itself that a row is locked. */
const lockWaitSeconds = (timeoutSeconds: number) => Math.max(1, Math.floor(timeoutSeconds / 2))

const openMysql = (url: string, { tls, connectionLimit = 10, timeoutSeconds }: DatabaseOptions): EngineConnection => {
  const { hostname, port, username, password, pathname } = new URL(url)
  const database = decodeURIComponent(pathname.slice(1))
  if (!database)
    throw new Error('The address of a MySQL database ends with its name: mysql://user:password@host:3306/name')
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
    // UTC, so that CURRENT_TIMESTAMP means the same on both engines. The mode is set whole and not added to: values are
    // escaped with backslashes and text stands in quotes, which other modes read differently; strict, so that nothing
    // too long is cut in silence. A connection that would not take these is not used.
    connection.query(
      "SET SESSION time_zone = '+00:00', sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'" +
        (timeoutSeconds === undefined ? '' : `, innodb_lock_wait_timeout = ${lockWaitSeconds(timeoutSeconds)}`),
      (error) => {
        if (error) connection.destroy()
      },
    )
  })
  // Kysely ends the pool; a pool that was never used has no connection to end.
  const managedPool = timeoutSeconds === undefined ? pool : poolWithTimeouts(pool, mysqlTimeouts(timeoutSeconds))
  return { dialect: new MysqlDialect({ pool: managedPool }), closeFile: () => undefined }
}

/** Which engine an address names. */
export const engineOfUrl = (url: string): Engine => (/^(mysql|mariadb):\/\//.test(url) ? 'mysql' : 'sqlite')

/** Opens `file:PATH`, a bare path or `:memory:` with SQLite, `mysql://user:password@host:port/name` with MySQL or MariaDB. */
export const openDatabase = (url: string, options: DatabaseOptions = {}): Database => {
  const engine = engineOfUrl(url)
  if (engine === 'sqlite' && /^(?!file:)[a-z][a-z0-9+.-]+:\/\//i.test(url)) {
    // The address may hold a password: only its beginning is repeated.
    throw new Error(`A database address begins with file: or mysql://, not with ${url.split('//')[0]}//`)
  }
  const { dialect, closeFile } = engine === 'mysql' ? openMysql(url, options) : openSqlite(sqlitePath(url))
  const db = new Kysely<Tables>({
    dialect,
    plugins: [bindValuesPlugin()],
    log: (event) => {
      if (event.level === 'error') attachQuery(event.error, event.query)
    },
  })
  return { db, engine, close: () => db.destroy().then(closeFile) }
}

/** Which engine is behind a Kysely object. */
export const engineOf = (db: Kysely<Tables>): Engine =>
  db.getExecutor().adapter instanceof MysqlAdapter ? 'mysql' : 'sqlite'
