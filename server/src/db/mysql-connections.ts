import type { MysqlPool } from 'kysely'
import { createPool } from 'mysql2'
import { createBindingPool } from './bind-values'
import type { DatabaseOptions } from './database'
import { createMysqlTimeouts, createPoolWithTimeouts } from './mysql-pool'

/** Shorter than the statement timeout, so that the database reports a locked row before the statement is abandoned. */
const getLockWaitSeconds = (timeoutSeconds: number) => Math.max(1, Math.floor(timeoutSeconds / 2))

/** Creates the connections to a MySQL or MariaDB. Nothing is connected before the first query. */
export const createMysqlPool = (
  url: URL,
  database: string,
  { tls, connectionLimit = 10, timeoutSeconds }: DatabaseOptions,
): MysqlPool => {
  const { hostname, port, username, password } = url
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
        // MySQL 8, unlike MariaDB, would report times of changes that are a day old.
        '/*!80000 , information_schema_stats_expiry = 0 */' +
        (timeoutSeconds === undefined ? '' : `, innodb_lock_wait_timeout = ${getLockWaitSeconds(timeoutSeconds)}`),
      (error) => {
        if (error) connection.destroy()
      },
    )
  })
  const managedPool =
    timeoutSeconds === undefined ? pool : createPoolWithTimeouts(pool, createMysqlTimeouts(timeoutSeconds))
  return createBindingPool(managedPool)
}
