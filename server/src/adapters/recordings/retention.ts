import { rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordingList } from '../../ports/recording-store'
import type { FileStorage } from './file-storage'
import { listBelow, listKeys, recordingOfKey } from './recording-keys'

const dayMs = 86_400_000

export interface Retention {
  folder: string
  files: FileStorage
  list: RecordingList
  /** Days until files are deleted; 0: never. */
  retentionDays: number
  clock: () => number
}

/** Removes empty folders of past days. Days of writers may differ from ours by one. */
const removeEmptyFolders = async (folder: string, now: number): Promise<void> => {
  const yesterday = new Date(now - dayMs).toISOString().slice(0, 10)
  for (const path of await listBelow(folder, 'isDirectory')) {
    const [, year, month, day] = /^[^/]+\/(\d{4})\/(\d\d)\/(\d\d)$/.exec(path) ?? []
    if (day && `${year}-${month}-${day}` < yesterday) await rmdir(join(folder, path)).catch(() => undefined)
  }
}

/**
 * Deletes files that arrived before the retention period, and empty folders. The modification time counts: the day in the path
 * comes from the writer.
 */
export const applyRetention = async ({ folder, files, list, retentionDays, clock }: Retention): Promise<void> => {
  const oldestMs = clock() - retentionDays * dayMs
  for (const key of retentionDays > 0 ? await listKeys(folder) : []) {
    const file = await stat(join(folder, key)).catch(() => undefined)
    if (!file || file.mtimeMs >= oldestMs) continue
    for (const recording of recordingOfKey(key)) await list.discard(recording)
    await files.remove(key, AbortSignal.timeout(dayMs))
  }
  await removeEmptyFolders(folder, clock())
}
