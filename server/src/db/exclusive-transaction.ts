import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { engineOf } from './database'
import { withLongStatements } from './mysql-pool'
import type { Tables } from './schema'
import { retryDeadlocks } from './transaction'

const WAIT_SECONDS = 60

const inTransaction = async <T>(db: Kysely<Tables>, startStatement: string, work: () => Promise<T>): Promise<T> => {
  await sql.raw(startStatement).execute(db)
  try {
    const result = await work()
    await sql`commit`.execute(db)
    return result
  } catch (error) {
    // The first failure is the one to tell; a connection that is gone has rolled back by itself.
    await sql`rollback`.execute(db).catch(() => undefined)
    throw error
  }
}

/**
 * Runs the work in one transaction while no other process does such work on the same database. The work must use
 * the object that it is given. On MySQL a statement that makes a table ends the transaction, but not the lock.
 */
export const inExclusiveTransaction = <T>(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<T>): Promise<T> =>
  db.connection().execute(async (connection) => {
    if (engineOf(db) === 'sqlite') return inTransaction(connection, 'begin immediate', () => work(connection))
    // Lock names are shared by the whole server and at most 64 characters long.
    const name = sql<string>`concat('trunkline_', sha1(database()))`
    const lock = sql<{ got: number }>`select get_lock(${name}, ${WAIT_SECONDS}) as got`
    const { rows } = await withLongStatements(() => lock.execute(connection))
    if (rows[0]?.got !== 1) {
      throw new Error(
        `Another process has been preparing the database for ${WAIT_SECONDS} seconds. Start again when it is done.`,
      )
    }
    try {
      return await retryDeadlocks(() => inTransaction(connection, 'start transaction', () => work(connection)))
    } finally {
      await sql`do release_lock(${name})`.execute(connection).catch(() => undefined)
    }
  })
