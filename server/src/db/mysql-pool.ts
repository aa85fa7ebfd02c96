import { AsyncLocalStorage } from 'node:async_hooks'
import type { MysqlPool, MysqlPoolConnection } from 'kysely'
import type { Pool, PoolConnection, QueryValues } from 'mysql2'

/** How long the database may take before a connection counts as dead. */
export interface MysqlTimeouts {
  /** For the answer to a statement. */
  statementMs: number
  /** For a connection: a free one, or a new one. */
  acquireMs: number
  /** For the answer to a ping, which a connection is sent that has been idle. */
  pingMs: number
  /** A connection that has answered within this time is used without a ping. */
  idleMs: number
}

export const mysqlTimeouts = (seconds: number): MysqlTimeouts => ({
  statementMs: seconds * 1000,
  acquireMs: seconds * 1000,
  pingMs: seconds * 250,
  idleMs: seconds * 125,
})

/** Work on a whole table at once, such as a migration, may take this many times as long. */
const longStatementFactor = 360
const longStatementContext = new AsyncLocalStorage<true>()

/** Runs work whose single statements may take minutes; to be used for preparing the database, not for requests. */
export const withLongStatements = <T>(work: () => Promise<T>): Promise<T> => longStatementContext.run(true, work)

/** The database did not answer in time, as an error of the driver's form. */
const timeoutError = (operation: string): Error =>
  Object.assign(new Error(`The database did not answer in time (${operation})`), {
    code: 'PROTOCOL_SEQUENCE_TIMEOUT',
    fatal: true,
  })

type Callback<Value> = (error: unknown, value: Value) => void

/** Calls back once: with the answer, or after a time without one. */
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

/** Closes the socket too: an orderly end would wait for an answer that does not come. */
const destroy = (connection: PoolConnection) => {
  connection.destroy()
  const { stream } = connection as unknown as { stream?: { destroy?: () => void } }
  stream?.destroy?.()
}

/**
 * A pool whose connections may die without a word: after a failover, behind a firewall that forgets, with a host that is
 * lost. A connection that does not answer in time is closed and replaced, and nobody waits for one without an end.
 */
export const poolWithTimeouts = (pool: Pool, timeouts: MysqlTimeouts): MysqlPool => {
  const lastResponseAt = new WeakMap<PoolConnection, number>()
  const idle = new Set<PoolConnection>()
  pool.on('connection', (connection) => lastResponseAt.set(connection, performance.now()))
  const isFresh = (connection: PoolConnection) =>
    performance.now() - (lastResponseAt.get(connection) ?? -Infinity) < timeouts.idleMs

  /** What one connection met, the idle ones have probably met too. */
  const discardIdle = () => {
    for (const connection of idle) if (!isFresh(connection)) destroy(connection)
    idle.clear()
  }

  const discard = (connection: PoolConnection) => {
    destroy(connection)
    discardIdle()
  }

  /** Asks a connection whether it still answers, unless it has done so a moment ago. */
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
      // What cannot be rolled back any more is rolled back by the end of its connection.
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
