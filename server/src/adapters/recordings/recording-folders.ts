import { join } from 'node:path'
import { createFileStorage } from './file-storage'

/** Folder names, one per state of a recording. Existing installations use them, so they cannot change. */
const folderNames = { incoming: 'coming', pending: 'waiting', local: 'kept', clientUploads: 'uploads' }

/** Creates the storages of recordings in the data folder, one per state. Each has one folder per account. */
export const createRecordingFolders = (dataFolder: string) => {
  const pathOf = (state: keyof typeof folderNames) => join(dataFolder, 'recordings', folderNames[state])
  return {
    paths: {
      incoming: pathOf('incoming'),
      pending: pathOf('pending'),
      local: pathOf('local'),
      /** Files that clients are uploading. */
      clientUploads: pathOf('clientUploads'),
    },
    /** Live recordings in progress, and complete recordings before they are stored. */
    incoming: createFileStorage(pathOf('incoming')),
    /** Recordings that wait for their upload to a bucket. */
    pending: createFileStorage(pathOf('pending')),
    /** Recordings of accounts without a bucket. */
    local: createFileStorage(pathOf('local')),
  }
}

export type RecordingFolders = ReturnType<typeof createRecordingFolders>
