import { classifyDatabaseError } from '../../db/errors'
import { StorageFull, Unavailable } from '../../ports/unavailable'

/** Converts a database error to the error of a port if a writer can react to it; returns other errors unchanged. */
export const toPortError = (error: unknown): unknown => {
  const databaseError = classifyDatabaseError(error)
  if (databaseError?.kind === 'storage') return new StorageFull(databaseError.message)
  return databaseError?.kind === 'unavailable' ? new Unavailable(databaseError.message) : error
}
