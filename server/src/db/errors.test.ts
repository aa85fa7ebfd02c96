import { describe, expect, it } from 'vitest'
import { classifyDatabaseError } from './errors'

/** An error as the MySQL driver creates it. */
const createMysqlError = (errno: number, code: string, sqlState: string, sqlMessage: string) =>
  Object.assign(new Error(sqlMessage), { errno, code, sqlState, sqlMessage })

describe('an error of a cluster', () => {
  it.each([
    createMysqlError(1047, 'ER_UNKNOWN_COM_ERROR', '08S01', 'WSREP has not yet prepared node for application use'),
    createMysqlError(1213, 'ER_LOCK_DEADLOCK', '40001', 'WSREP replication failed. Check your wsrep connection state'),
    createMysqlError(1205, 'ER_LOCK_WAIT_TIMEOUT', 'HY000', 'Synchronous wait failed.'),
  ])('means that the database is unavailable: $message', (error) => {
    expect(classifyDatabaseError(error)).toMatchObject({ kind: 'unavailable' })
  })
})
