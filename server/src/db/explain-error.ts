import { classifyDatabaseError } from './errors'
import { MigrationError } from './migrate'

/** Hides the passwords of the URLs in a text. */
export const maskPasswords = (text: string) => text.replace(/\/\/([^\s:@/]*):\S*@/g, '//$1:***@')

/** The name of a database in messages to the operator. */
export const nameDatabase = (url: string) => `The database ${maskPasswords(url)}`

/** The message of an error. A host with several addresses fails with an AggregateError, which has none. */
export const errorTextOf = (error: unknown): string => {
  if (error instanceof AggregateError) return errorTextOf(error.errors[0])
  const { message, code } = error as NodeJS.ErrnoException
  return message || code || String(error)
}

/** Explains to the operator why a database cannot be used, with the remedy; undefined if the error has another cause. */
export const explainDatabaseError = (error: unknown, url: string): string | undefined => {
  const cause = error instanceof MigrationError ? error.cause : error
  const { code = '', path } = cause as NodeJS.ErrnoException
  const name = nameDatabase(url)
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(code))
    return `${name} is not a SQLite database, or is damaged. Restore it from a backup, or set DATABASE_URL to another one.`
  const databaseError = classifyDatabaseError(cause)
  // Errors of the file system have a path.
  if (databaseError?.kind === 'storage' || code === 'SQLITE_CANTOPEN' || path !== undefined)
    return `${name} cannot be written: ${errorTextOf(cause)}. Free some disk space, make its folder writable, or choose another with DATA_DIR or DATABASE_URL.`
  // MySQL reports a refused login with an sqlState, before any statement.
  const isRefusedByServer = (cause as { sqlState?: string }).sqlState !== undefined
  if ((databaseError || isRefusedByServer) && !(error instanceof MigrationError))
    return `${name} cannot be used: ${errorTextOf(cause)}. Check DATABASE_URL, and that the database server is running.`
  return undefined
}
