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

export const createMysqlTimeouts = (seconds: number): MysqlTimeouts => ({
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
const createTimeoutError = (operation: string): Error =>
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
  return { finish, hasFinished: () => isFinished }
}

/** Closes the socket too: an orderly close would wait for a response that never comes. */
const destroyConnection = (connection: PoolConnection) => {
  connection.destroy()
  const { stream } = connection as unknown as { stream?: { destroy?: () => void } }
  stream?.destroy?.()
}

/** Records which connections of a pool are idle and when each responded. A fresh connection has responded just now. */
const createConnectionTracker = (pool: Pool, idleMs: number) => {
  const lastResponseAt = new WeakMap<PoolConnection, number>()
  const idleConnections = new Set<PoolConnection>()
  const recordResponse = (connection: PoolConnection) => void lastResponseAt.set(connection, performance.now())
  const isFresh = (connection: PoolConnection) =>
    performance.now() - (lastResponseAt.get(connection) ?? -Infinity) < idleMs

  /** If one connection is dead, the idle ones probably are too. */
  const discardIdle = () => {
    for (const connection of idleConnections) if (!isFresh(connection)) destroyConnection(connection)
    idleConnections.clear()
  }

  const discard = (connection: PoolConnection) => {
    destroyConnection(connection)
    discardIdle()
  }

  pool.on('connection', recordResponse)
  return { idleConnections, recordResponse, isFresh, discardIdle, discard }
}
type ConnectionTracker = ReturnType<typeof createConnectionTracker>

/** Pings a connection unless it has just responded. */
const checkAlive = (
  connection: PoolConnection,
  { isFresh }: ConnectionTracker,
  pingMs: number,
  callback: (isAlive: boolean) => void,
) => {
  if (isFresh(connection)) return callback(true)
  const { finish } = withTimeout<never>(
    pingMs,
    (error) => callback(!error),
    () => createTimeoutError('ping'),
  )
  connection.ping((error) => finish(error))
}

/** Returns a connection for Kysely whose statements have a timeout. */
const createConnectionWithTimeouts = (
  connection: PoolConnection,
  { idleConnections, recordResponse, discard }: ConnectionTracker,
  statementMs: number,
): MysqlPoolConnection => {
  const query = (statement: string, parameters: QueryValues, callback: Callback<unknown>) => {
    const timeoutMs = statementMs * (longStatementContext.getStore() ? longStatementFactor : 1)
    const onResult: Callback<unknown> = (error, result) => {
      // If a rollback fails, closing the connection rolls back.
      if (error && statement === 'rollback') {
        destroyConnection(connection)
        return callback(null, undefined)
      }
      callback(error, result)
    }
    const { finish } = withTimeout<unknown>(timeoutMs, onResult, () => {
      discard(connection)
      return createTimeoutError('statement')
    })
    connection.query(statement, parameters, (error, result) => {
      if (!error || !error.fatal) recordResponse(connection)
      finish(error, result)
    })
  }
  return {
    query: ((statement: string, parameters: QueryValues, callback?: Callback<unknown>) =>
      callback
        ? query(statement, parameters, callback)
        : connection.query(statement, parameters)) as MysqlPoolConnection['query'],
    release: () => {
      idleConnections.add(connection)
      connection.release()
    },
  }
}

/**
 * Adds timeouts to a pool. Connections can die silently: after a failover, behind a firewall that drops idle connections, or
 * with a lost host. A connection that does not respond in time is closed and replaced.
 */
export const createPoolWithTimeouts = (pool: Pool, timeouts: MysqlTimeouts): MysqlPool => {
  const tracker = createConnectionTracker(pool, timeouts.idleMs)
  const connectionsWithTimeouts = new WeakMap<PoolConnection, MysqlPoolConnection>()

  const addTimeouts = (connection: PoolConnection): MysqlPoolConnection => {
    const connectionWithTimeouts =
      connectionsWithTimeouts.get(connection) ?? createConnectionWithTimeouts(connection, tracker, timeouts.statementMs)
    connectionsWithTimeouts.set(connection, connectionWithTimeouts)
    return connectionWithTimeouts
  }

  return {
    getConnection(callback) {
      const { finish, hasFinished } = withTimeout<MysqlPoolConnection>(
        timeouts.acquireMs,
        (error, connection) => callback(error, connection as MysqlPoolConnection),
        () => {
          tracker.discardIdle()
          return createTimeoutError('connection')
        },
      )
      const acquire = () =>
        pool.getConnection((error, connection) => {
          if (error) return finish(error)
          tracker.idleConnections.delete(connection)
          if (hasFinished()) return connection.release()
          checkAlive(connection, tracker, timeouts.pingMs, (isAlive) => {
            if (isAlive && !hasFinished()) return finish(null, addTimeouts(connection))
            if (isAlive) return connection.release()
            tracker.discard(connection)
            if (!hasFinished()) acquire()
          })
        })
      acquire()
    },
    end: (callback) => pool.end(callback),
  }
}
