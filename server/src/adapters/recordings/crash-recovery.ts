import { rm } from 'node:fs/promises'
import { repairHeader } from './incoming-file'
import type { RecordingFolders } from './recording-folders'
import { listKeys } from './recording-keys'

/** Stores the live recordings that a crash interrupted, with repaired headers. Deletes incomplete uploads of clients. */
export const recoverRecordings = async (
  { incoming, paths }: RecordingFolders,
  storeRecording: (key: string) => Promise<void>,
): Promise<void> => {
  for (const key of await listKeys(paths.incoming))
    if (await repairHeader(incoming.pathOf(key)).catch(() => false)) await storeRecording(key)
  for (const path of [paths.incoming, paths.clientUploads]) await rm(path, { recursive: true, force: true })
}
