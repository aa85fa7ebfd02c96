import { classifyDatabaseError } from '../../db/errors'
import { StorageFullError, UnavailableError } from '../../ports/service-errors'

/** Converts a database error to the error of a port if a writer can react to it; returns other errors unchanged. */
export const toPortError = (error: unknown): unknown => {
  const databaseError = classifyDatabaseError(error)
  if (databaseError?.kind === 'storage') return new StorageFullError(databaseError.message)
  return databaseError?.kind === 'unavailable' ? new UnavailableError(databaseError.message) : error
}
