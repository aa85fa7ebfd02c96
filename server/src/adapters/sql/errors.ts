import { classifyDatabaseError } from '../../db/errors'
import { StorageFull, Unavailable } from '../../ports/unavailable'

/** What went wrong in our tables, in the ports' words where a writer can do something about it; else as it was thrown. */
export const portFault = (error: unknown): unknown => {
  const fault = classifyDatabaseError(error)
  if (fault?.kind === 'storage') return new StorageFull(fault.message)
  return fault?.kind === 'unavailable' ? new Unavailable(fault.message) : error
}
