import { rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordingList } from '../../ports/recording-store'
import type { RecordingFolders } from './recording-folders'
import { listPaths, listKeys, parseLocalKey } from './recording-keys'
import { createStorageTimeoutSignal } from './storage-timeout'

const dayMs = 86_400_000

export interface RetentionOptions {
  folders: RecordingFolders
  recordingList: RecordingList
  /** Days until files are deleted; 0: never. */
  retentionDays: number
  clock: () => number
}

/** Removes the empty folders of days before yesterday. Keeps yesterday's: it may still be that day in a writer's time zone. */
const removeEmptyFolders = async (folder: string, now: number): Promise<void> => {
  const yesterday = new Date(now - dayMs).toISOString().slice(0, 10)
  for (const path of await listPaths(folder, 'isDirectory')) {
    const [, year, month, day] = /^[^/]+\/(\d{4})\/(\d\d)\/(\d\d)$/.exec(path) ?? []
    if (day && `${year}-${month}-${day}` < yesterday) await rmdir(join(folder, path)).catch(() => undefined)
  }
}

/**
 * Deletes local recordings that arrived before the retention period, and empty folders. The modification time decides, because the
 * day in the path comes from the writer. Recordings that wait for their upload do not expire.
 */
export const applyRetention = async ({
  folders: { local, paths },
  recordingList,
  retentionDays,
  clock,
}: RetentionOptions): Promise<void> => {
  const oldestAllowedMs = clock() - retentionDays * dayMs
  for (const key of retentionDays > 0 ? await listKeys(paths.local) : []) {
    const file = await stat(local.pathOf(key)).catch(() => undefined)
    if (!file || file.mtimeMs >= oldestAllowedMs) continue
    // A key that is not one of a recording has no list entry.
    for (const recording of parseLocalKey(key)) await recordingList.remove(recording)
    await local.remove(key, createStorageTimeoutSignal())
  }
  for (const folder of [paths.local, paths.pending]) await removeEmptyFolders(folder, clock())
}
