import { AsyncLocalStorage } from 'node:async_hooks'
import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import type { Pool, PoolConnection, QueryValues } from 'mysql2'

/** After these times a connection counts as dead. */
export interface MysqlTimeouts {
  /** Waiting for the result of a statement. */
  statementMs: number
  /** Waiting for a free or a new connection. */
  acquireMs: number
  /** Waiting for the response to a ping, which checks a connection that was idle. */
  pingMs: number
  /** A connection that responded within this time needs no ping. */
  idleMs: number
}

export const mysqlTimeouts = (seconds: number): MysqlTimeouts => ({
  statementMs: seconds * 1000,
  acquireMs: seconds * 1000,
  pingMs: seconds * 250,
  idleMs: seconds * 125,
})

/** Statements on whole tables, as in migrations, may take this many times as long. */
const longStatementFactor = 360
const longStatementContext = new AsyncLocalStorage<true>()

/** Runs work with statements that may take minutes. For preparing the database, never for requests. */
export const withLongStatements = <T>(work: () => Promise<T>): Promise<T> => longStatementContext.run(true, work)

/** Has the shape of the driver's own errors, so that `classifyDatabaseError` recognises it. */
const timeoutError = (operation: string): Error =>
  Object.assign(new Error(`The database did not respond in time (${operation})`), {
    code: 'PROTOCOL_SEQUENCE_TIMEOUT',
    fatal: true,
  })

type Callback<Value> = (error: unknown, value: Value) => void

/** Calls back exactly once: with the result, or with the error of `onTimeout` once the time is over. */
const withTimeout = <Value>(timeoutMs: number, callback: Callback<Value | undefined>, onTimeout: () => unknown) => {
  let isFinished = false
  const finish = (error: unknown, value?: Value) => {
    if (isFinished) return
    isFinished = true
    clearTimeout(timer)
    callback(error, value)
  }
  const timer = setTimeout(() => finish(onTimeout()), timeoutMs)
  return { finish, isDone: () => isFinished }
}

/** Closes the socket too: an orderly close would wait for a response that never comes. */
const destroy = (connection: PoolConnection) => {
  connection.destroy()
  const { stream } = connection as unknown as { stream?: { destroy?: () => void } }
  stream?.destroy?.()
}

/**
 * Adds timeouts to a pool. Connections can die silently: after a failover, behind a firewall that drops idle connections, or
 * with a lost host. A connection that does not respond in time is closed and replaced.
 */
export const poolWithTimeouts = (pool: Pool, timeouts: MysqlTimeouts): MysqlPool => {
  const lastResponseAt = new WeakMap<PoolConnection, number>()
  const idle = new Set<PoolConnection>()
  pool.on('connection', (connection) => lastResponseAt.set(connection, performance.now()))
  const isFresh = (connection: PoolConnection) =>
    performance.now() - (lastResponseAt.get(connection) ?? -Infinity) < timeouts.idleMs

  /** If one connection is dead, the idle ones probably are too. */
  const discardIdle = () => {
    for (const connection of idle) if (!isFresh(connection)) destroy(connection)
    idle.clear()
  }

  const discard = (connection: PoolConnection) => {
    destroy(connection)
    discardIdle()
  }

  /** Pings a connection unless it has just responded. */
  const checkAlive = (connection: PoolConnection, callback: (isAlive: boolean) => void) => {
    if (isFresh(connection)) return callback(true)
    const { finish } = withTimeout<never>(
      timeouts.pingMs,
      (error) => callback(!error),
      () => timeoutError('ping'),
    )
    connection.ping((error) => finish(error))
  }

  const query = (
    connection: PoolConnection,
    statement: string,
    parameters: QueryValues,
    callback: Callback<unknown>,
  ) => {
    const timeoutMs = timeouts.statementMs * (longStatementContext.getStore() ? longStatementFactor : 1)
    const onResult: Callback<unknown> = (error, result) => {
      // If a rollback fails, closing the connection rolls back.
      if (error && statement === 'rollback') {
        destroy(connection)
        return callback(null, undefined)
      }
      callback(error, result)
    }
    const { finish } = withTimeout<unknown>(timeoutMs, onResult, () => {
      discard(connection)
      return timeoutError('statement')
    })
    connection.query(statement, parameters, (error, result) => {
      if (!error || !error.fatal) lastResponseAt.set(connection, performance.now())
      finish(error, result)
    })
  }

  const timedConnection = (connection: PoolConnection): MysqlPoolConnection => ({
    query: ((statement: string, parameters: QueryValues, callback?: Callback<unknown>) =>
      callback
        ? query(connection, statement, parameters, callback)
        : connection.query(statement, parameters)) as MysqlPoolConnection['query'],
    release: () => {
      idle.add(connection)
      connection.release()
    },
  })

  return {
    getConnection(callback) {
      const { finish, isDone } = withTimeout<MysqlPoolConnection>(
        timeouts.acquireMs,
        (error, connection) => callback(error, connection as MysqlPoolConnection),
        () => {
          discardIdle()
          return timeoutError('connection')
        },
      )
      const acquire = () =>
        pool.getConnection((error, connection) => {
          if (error) return finish(error)
          idle.delete(connection)
          if (isDone()) return connection.release()
          checkAlive(connection, (isAlive) => {
            if (isAlive && !isDone()) return finish(null, timedConnection(connection))
            if (isAlive) return connection.release()
            discard(connection)
            if (!isDone()) acquire()
          })
        })
      acquire()
    },
    end: (callback) => pool.end(callback),
  }
}
