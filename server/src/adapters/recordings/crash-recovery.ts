import { rm } from 'node:fs/promises'
import type { RecordingFolders } from './recording-folders'
import { listKeys } from './recording-keys'

/** Stores the live recordings that the previous run did not finish, and deletes incomplete uploads of clients. Never rejects. */
export const recoverFromCrash = async (
  { paths }: RecordingFolders,
  recoverInterrupted: () => Promise<void>,
  logError: (message: string) => void,
): Promise<void> => {
  try {
    await recoverInterrupted()
    // Recordings that could not be stored are still there.
    if ((await listKeys(paths.incoming)).length === 0) await rm(paths.incoming, { recursive: true, force: true })
    await rm(paths.clientUploads, { recursive: true, force: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    logError(`Unfinished recordings of the previous run could not be recovered: ${reason}`)
  }
}
