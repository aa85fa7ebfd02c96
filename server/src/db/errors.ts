import type { CompiledQuery } from 'kysely'
import { mysqlDuplicate, sqliteDuplicate } from './duplicates'

/** What went wrong in the database, in words that do not depend on the engine. */
export type DatabaseError =
  | { kind: 'duplicate'; message: string; index: string }
  /** `by` says which side broke: 'delete' of a row that others point at, or 'write' of a pointer to nothing. */
  | { kind: 'foreign_key'; message: string; operation: 'delete' | 'write' }
  /** A value does not fit its column. */
  | { kind: 'data'; message: string; column?: string }
  /** No connection, too many of them, or waited too long for a lock: the same call may succeed later. */
  | { kind: 'unavailable'; message: string }
  /** Nothing can be written: disk full, read-only or damaged. An operator has to act. */
  | { kind: 'storage'; message: string }

/** A value of a kind that no column can hold; thrown before a statement is sent. */
export class UnstorableValue extends TypeError {
  override readonly name = 'UnstorableValue'
}

const queries = new WeakMap<object, CompiledQuery>()

/**
 * Keeps the statement beside the error that it caused: SQLite's messages do not repeat the values. MySQL's driver writes
 * the whole statement with its values into the error, from where secrets would reach the logs; that is taken out.
 */
export const attachQuery = (error: unknown, query: CompiledQuery): void => {
  if (typeof error !== 'object' || error === null) return
  queries.set(error, query)
  if ('sql' in error) delete error.sql
}

const UNAVAILABLE = 'The database is not available at the moment'
const STORAGE = 'The database cannot store anything at the moment: its disk is full, read-only or damaged'
const IN_USE = 'Cannot delete or update a parent row: a foreign key constraint fails'
const UNKNOWN_PARENT = 'Cannot add or update a child row: a foreign key constraint fails'

const foreignKeyError = (operation: 'delete' | 'write'): DatabaseError => ({
  kind: 'foreign_key',
  message: operation === 'delete' ? IN_USE : UNKNOWN_PARENT,
  operation,
})

const dataError = (message: string, column?: string): DatabaseError => ({ kind: 'data', message, column })

/** The names given to checks in render-sqlite.ts, in MySQL's words. */
const checkMessages: Record<string, (column: string) => string> = {
  length: (column) => `Data too long for column '${column}' at row 1`,
  choice: (column) => `Data truncated for column '${column}' at row 1`,
  range: (column) => `Out of range value for column '${column}' at row 1`,
  date: (column) => `Incorrect datetime value for column '${column}' at row 1`,
}

const checkConstraintError = (message: string): DatabaseError => {
  const [, rule = '', column = ''] = /failed: (\w+):(\w+)/.exec(message) ?? []
  return dataError(checkMessages[rule]?.(column) ?? message, column || undefined)
}

const lastColumn = (message: string): string => /([^.\s]+)$/.exec(message)?.[1] ?? ''

const classifySqliteError = (error: Error, code: string): DatabaseError | undefined => {
  const query = queries.get(error)
  const { message } = error
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
      return { kind: 'duplicate', ...sqliteDuplicate(message, code.endsWith('PRIMARYKEY'), query) }
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return foreignKeyError(/^\s*delete\s/i.test(query?.sql ?? '') ? 'delete' : 'write')
    case 'SQLITE_CONSTRAINT_CHECK':
      return checkConstraintError(message)
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return dataError(`Column '${lastColumn(message)}' cannot be null`, lastColumn(message))
    case 'SQLITE_CONSTRAINT_DATATYPE':
      return dataError(`Incorrect value for column '${lastColumn(message)}' at row 1`, lastColumn(message))
  }
  if (/^SQLITE_(FULL|READONLY|IOERR|CORRUPT|NOTADB)/.test(code)) return { kind: 'storage', message: STORAGE }
  if (/^SQLITE_(BUSY|LOCKED|CANTOPEN)/.test(code)) return { kind: 'unavailable', message: UNAVAILABLE }
  return undefined
}

const DUPLICATE = new Set([1062, 1586])
const PARENT_IN_USE = new Set([1217, 1451])
const PARENT_UNKNOWN = new Set([1216, 1452])
/** Null, default missing, range, truncated, too long, wrong value, failed checks. */
const BAD_DATA = new Set([1048, 1264, 1265, 1292, 1364, 1366, 1367, 1406, 3819, 4025])
/** Disk full, table full, read-only in its several forms. */
const NO_STORAGE = new Set([1021, 1114, 1290, 1792, 1836])
/** Deadlock, and a row that has changed since the transaction's snapshot: the engine has rolled the transaction back. */
const DEADLOCK = new Set([1020, 1213])
const LOCK_TIMEOUT = 1205
/** Too many connections, shutdown, access refused, no such database, lock waits, row changed meanwhile, deadlock, killed. */
const NO_SERVICE = new Set([1020, 1040, 1044, 1045, 1049, 1053, 1129, 1203, 1205, 1213, 1226, 1317, 1698, 1927, 3159])
const NO_CONNECTION =
  /^(E(CONN(REFUSED|RESET|ABORTED)|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH)|PROTOCOL_|HANDSHAKE_)/

interface MysqlError {
  message: string
  code: string
  errno: number | undefined
  /** The connection has ended with it. */
  fatal: boolean
}

const classifyMysqlError = ({ message, code, errno, fatal }: MysqlError): DatabaseError | undefined => {
  if (NO_CONNECTION.test(code)) return { kind: 'unavailable', message: UNAVAILABLE }
  if (errno === undefined) return fatal ? { kind: 'unavailable', message: UNAVAILABLE } : undefined
  if (DUPLICATE.has(errno)) return { kind: 'duplicate', ...mysqlDuplicate(message) }
  if (PARENT_IN_USE.has(errno)) return foreignKeyError('delete')
  if (PARENT_UNKNOWN.has(errno)) return foreignKeyError('write')
  if (BAD_DATA.has(errno))
    return dataError(message, /(?:[Cc]olumn|Field) '?(?:`[^`]*`\.)*[`']?(\w+)/.exec(message)?.[1])
  if (NO_STORAGE.has(errno)) return { kind: 'storage', message: STORAGE }
  if (NO_SERVICE.has(errno)) return { kind: 'unavailable', message: UNAVAILABLE }
  return undefined
}

/** Other sockets fail with the same codes; the driver marks its own errors, and we know our statements. */
const isMysqlError = (error: Error): boolean => 'fatal' in error || 'sqlState' in error || queries.has(error)

const mysqlErrno = (error: unknown): number | undefined =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' && isMysqlError(error)
    ? error.errno
    : undefined

/** Did the engine roll the transaction back because it collided with another one? */
export const isDeadlock = (error: unknown): boolean => DEADLOCK.has(mysqlErrno(error) ?? 0)

/** Did a statement wait too long for a row that another transaction holds? */
export const isLockTimeout = (error: unknown): boolean => mysqlErrno(error) === LOCK_TIMEOUT

/** Says what kind of database trouble an error is; undefined when it is none that a caller can act on. */
export const classifyDatabaseError = (error: unknown): DatabaseError | undefined => {
  if (error instanceof UnstorableValue) return dataError(error.message)
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('SQLITE_')) return classifySqliteError(error, code)
  if (!isMysqlError(error)) return undefined
  const message = 'sqlMessage' in error && typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message
  const fatal = 'fatal' in error && error.fatal === true
  return classifyMysqlError({ message, code, errno: mysqlErrno(error), fatal })
}
