import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { engineOf } from './database'
import { withLongStatements } from './mysql-pool'
import type { Tables } from './schema'
import { retryDeadlocks } from './transaction'

const lockWaitSeconds = 60

const inTransaction = async <T>(db: Kysely<Tables>, startStatement: string, work: () => Promise<T>): Promise<T> => {
  await sql.raw(startStatement).execute(db)
  try {
    const result = await work()
    await sql`commit`.execute(db)
    return result
  } catch (error) {
    // Keeps the original error. A rollback fails if the connection is lost, and then the engine has rolled back.
    await sql`rollback`.execute(db).catch(() => undefined)
    throw error
  }
}

/**
 * Runs `work` in a transaction that excludes every other exclusive transaction on this database, including those of other processes.
 * `work` must use the connection that it receives. On MySQL, creating a table commits the transaction but keeps the lock.
 */
export const inExclusiveTransaction = <T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    if (engineOf(db) === 'sqlite') return inTransaction(connection, 'begin immediate', () => work(connection))
    // Lock names are global to the MySQL server and limited to 64 characters.
    const lockName = sql<string>`concat('trunkline_', sha1(database()))`
    const lockQuery = sql<{ acquired: number }>`select get_lock(${lockName}, ${lockWaitSeconds}) as acquired`
    const { rows } = await withLongStatements(() => lockQuery.execute(connection))
    if (rows[0]?.acquired !== 1) {
      throw new Error(
        `Another process has been preparing the database for ${lockWaitSeconds} seconds. Start again once it has finished.`,
      )
    }
    try {
      return await retryDeadlocks(() => inTransaction(connection, 'start transaction', () => work(connection)))
    } finally {
      await sql`do release_lock(${lockName})`.execute(connection).catch(() => undefined)
    }
  })
