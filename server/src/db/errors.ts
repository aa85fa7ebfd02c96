import type { CompiledQuery } from 'kysely'
import { describeMysqlDuplicate, describeSqliteDuplicate } from './duplicates'

/** A database error, independent of the engine. Messages are in MySQL's wording. */
export type DatabaseError =
  | { kind: 'duplicate'; message: string; index: string }
  /** 'delete': other rows refer to the row. 'write': the referenced row does not exist. */
  | { kind: 'foreign_key'; message: string; operation: 'delete' | 'write' }
  /** A value does not fit its column. */
  | { kind: 'data'; message: string; column?: string }
  /** No connection, too many connections or a lock timeout. The same request may succeed later. */
  | { kind: 'unavailable'; message: string }
  /** The disk is full, read-only or damaged. An operator has to act. */
  | { kind: 'storage'; message: string }
  /** A table or column is missing, or collations cannot be compared: somebody changed the tables. An operator has to act. */
  | { kind: 'schema'; message: string }

/** A value of a type that no column can hold. Thrown before the statement is sent. */
export class UnstorableValueError extends TypeError {
  override readonly name = 'UnstorableValueError'
}

const queryByError = new WeakMap<object, CompiledQuery>()

/**
 * Remembers which statement caused an error, because SQLite's messages lack the values. MySQL's driver adds the statement
 * with its values to the error; this is removed, because it would write secrets to the log.
 */
export const attachQuery = (error: unknown, query: CompiledQuery): void => {
  if (typeof error !== 'object' || error === null) return
  queryByError.set(error, query)
  if ('sql' in error) delete error.sql
}

const unavailableMessage = 'The database is not available at the moment'
const storageMessage = 'The database cannot store anything at the moment: its disk is full, read-only or damaged'
const schemaMessage =
  'The tables of the database do not match this server. Its operator can find the cause with the doctor (trunkline doctor)'
const parentInUseMessage = 'Cannot delete or update a parent row: a foreign key constraint fails'
const parentUnknownMessage = 'Cannot add or update a child row: a foreign key constraint fails'

const createForeignKeyError = (operation: 'delete' | 'write'): DatabaseError => ({
  kind: 'foreign_key',
  message: operation === 'delete' ? parentInUseMessage : parentUnknownMessage,
  operation,
})

const createDataError = (message: string, column?: string): DatabaseError => ({ kind: 'data', message, column })

/** MySQL's messages for the checks that render-sqlite.ts defines. */
const checkMessages: Record<string, (column: string) => string> = {
  length: (column) => `Data too long for column '${column}' at row 1`,
  choice: (column) => `Data truncated for column '${column}' at row 1`,
  range: (column) => `Out of range value for column '${column}' at row 1`,
  date: (column) => `Incorrect datetime value for column '${column}' at row 1`,
}

const parseCheckConstraintError = (message: string): DatabaseError => {
  const [, rule = '', column = ''] = /failed: (\w+):(\w+)/.exec(message) ?? []
  return createDataError(checkMessages[rule]?.(column) ?? message, column || undefined)
}

const lastColumnOf = (message: string): string => /([^.\s]+)$/.exec(message)?.[1] ?? ''

/** Errors of SQLite that have nothing to do with the values of a statement, by code and message. */
const sqliteErrors: readonly [pattern: RegExp, error: DatabaseError][] = [
  [/^SQLITE_(FULL|READONLY|IOERR|CORRUPT|NOTADB)/, { kind: 'storage', message: storageMessage }],
  [/^SQLITE_(BUSY|LOCKED|CANTOPEN)/, { kind: 'unavailable', message: unavailableMessage }],
  [/^SQLITE_ERROR (no such (table|column)|.*has no column named)/, { kind: 'schema', message: schemaMessage }],
]

const classifySqliteError = (error: Error, code: string): DatabaseError | undefined => {
  const query = queryByError.get(error)
  const { message } = error
  switch (code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
      return { kind: 'duplicate', ...describeSqliteDuplicate(message, code.endsWith('PRIMARYKEY'), query) }
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return createForeignKeyError(/^\s*delete\s/i.test(query?.sql ?? '') ? 'delete' : 'write')
    case 'SQLITE_CONSTRAINT_CHECK':
      return parseCheckConstraintError(message)
    case 'SQLITE_CONSTRAINT_NOTNULL':
      return createDataError(`Column '${lastColumnOf(message)}' cannot be null`, lastColumnOf(message))
    case 'SQLITE_CONSTRAINT_DATATYPE':
      return createDataError(`Incorrect value for column '${lastColumnOf(message)}' at row 1`, lastColumnOf(message))
  }
  return sqliteErrors.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1]
}

const duplicateErrnos = new Set([1062, 1586])
const parentInUseErrnos = new Set([1217, 1451])
const parentUnknownErrnos = new Set([1216, 1452])
/** Null, missing default, out of range, truncated, too long, wrong value, failed check. */
const badDataErrnos = new Set([1048, 1264, 1265, 1292, 1364, 1366, 1367, 1406, 3819, 4025])
/** Disk full, table full, read-only for several reasons. */
const storageErrnos = new Set([1021, 1114, 1290, 1792, 1836])
/** Unknown column or table, collations that cannot be compared. */
const schemaErrnos = new Set([1054, 1146, 1267, 1271])
/** A deadlock, or a row that changed after the transaction's snapshot. The engine has rolled the transaction back. */
const deadlockErrnos = new Set([1020, 1213])
const lockTimeoutErrno = 1205
/**
 * Too many connections or threads, shutdown, access denied, unknown database, a node without the majority of its cluster,
 * lock timeout, changed row, deadlock, killed, statement over the time limit, idle for too long.
 */
const unavailableErrnos = new Set([
  1020, 1040, 1044, 1045, 1047, 1049, 1053, 1129, 1135, 1203, 1205, 1213, 1226, 1317, 1698, 1927, 1969, 3024, 3159,
  3169, 4031,
])
const connectionErrorCodes =
  /^(E(CONN(REFUSED|RESET|ABORTED)|TIMEDOUT|NOTFOUND|AI_AGAIN|PIPE|HOSTUNREACH|NETUNREACH)|PROTOCOL_|HANDSHAKE_)/

interface MysqlError {
  message: string
  code: string
  errno: number | undefined
  /** Whether the error closed the connection. */
  isFatal: boolean
}

const classifyMysqlError = ({ message, code, errno, isFatal }: MysqlError): DatabaseError | undefined => {
  if (connectionErrorCodes.test(code)) return { kind: 'unavailable', message: unavailableMessage }
  if (errno === undefined) return isFatal ? { kind: 'unavailable', message: unavailableMessage } : undefined
  if (duplicateErrnos.has(errno)) return { kind: 'duplicate', ...describeMysqlDuplicate(message) }
  if (parentInUseErrnos.has(errno)) return createForeignKeyError('delete')
  if (parentUnknownErrnos.has(errno)) return createForeignKeyError('write')
  if (badDataErrnos.has(errno))
    return createDataError(message, /(?:[Cc]olumn|Field) '?(?:`[^`]*`\.)*[`']?(\w+)/.exec(message)?.[1])
  if (storageErrnos.has(errno)) return { kind: 'storage', message: storageMessage }
  if (schemaErrnos.has(errno)) return { kind: 'schema', message: schemaMessage }
  if (unavailableErrnos.has(errno)) return { kind: 'unavailable', message: unavailableMessage }
  return undefined
}

/** Other sockets fail with the same codes. Only errors of the driver have these fields or belong to one of our statements. */
const isMysqlError = (error: Error): boolean => 'fatal' in error || 'sqlState' in error || queryByError.has(error)

const mysqlErrnoOf = (error: unknown): number | undefined =>
  error instanceof Error && 'errno' in error && typeof error.errno === 'number' && isMysqlError(error)
    ? error.errno
    : undefined

/** Whether the engine rolled the transaction back because of a conflict with another one. */
export const isDeadlock = (error: unknown): boolean => deadlockErrnos.has(mysqlErrnoOf(error) ?? 0)

/** Whether a statement waited too long for a row lock of another transaction. */
export const isLockTimeout = (error: unknown): boolean => mysqlErrnoOf(error) === lockTimeoutErrno

/** Classifies an error of either driver; undefined if a caller cannot act on it. */
export const classifyDatabaseError = (error: unknown): DatabaseError | undefined => {
  if (error instanceof UnstorableValueError) return createDataError(error.message)
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code.startsWith('SQLITE_')) return classifySqliteError(error, code)
  if (!isMysqlError(error)) return undefined
  const message = 'sqlMessage' in error && typeof error.sqlMessage === 'string' ? error.sqlMessage : error.message
  const isFatal = 'fatal' in error && error.fatal === true
  return classifyMysqlError({ message, code, errno: mysqlErrnoOf(error), isFatal })
}
