import { rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordingList } from '../../ports/recording-archive'
import type { FileRecordings } from './file-storage'
import { below, keysIn, recordingOf } from './recording-keys'

const dayMs = 86_400_000

export interface Retention {
  folder: string
  files: FileRecordings
  list: RecordingList
  /** Days that files are kept; 0: for ever. */
  days: number
  clock: () => number
}

/** Days that are over have folders that may be empty. The days of writers may be a day off from ours. */
const removeEmptyFolders = async (folder: string, now: number): Promise<void> => {
  const yesterday = new Date(now - dayMs).toISOString().slice(0, 10)
  for (const path of await below(folder, 'isDirectory')) {
    const [, year, month, day] = /^[^/]+\/(\d{4})\/(\d\d)\/(\d\d)$/.exec(path) ?? []
    if (day && `${year}-${month}-${day}` < yesterday) await rmdir(join(folder, path)).catch(() => undefined)
  }
}

/**
 * Deletes the files that arrived longer ago than files are kept, and empty folders. The time of arrival counts, which is when a
 * file was last written: the day in its path is chosen by its writer.
 */
export const applyRetention = async ({ folder, files, list, days, clock }: Retention): Promise<void> => {
  const oldest = clock() - days * dayMs
  for (const key of days > 0 ? await keysIn(folder) : []) {
    const file = await stat(join(folder, key)).catch(() => undefined)
    if (!file || file.mtimeMs >= oldest) continue
    for (const recording of recordingOf(key)) await list.drop(recording)
    await files.remove(key, AbortSignal.timeout(dayMs))
  }
  await removeEmptyFolders(folder, clock())
}
