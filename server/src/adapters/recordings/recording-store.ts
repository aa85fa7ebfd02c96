import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBucketKey } from '@trunkline/contract/calls/recording'
import type { RecordingList, RecordingStore } from '../../ports/recording-store'
import { createBucketUploader, type BucketUploadOptions } from './bucket-uploads'
import { recoverFromCrash } from './crash-recovery'
import { createDiskUsageTracker } from './disk-usage'
import { readFreeDiskBytes, type ReadFreeBytes } from './incoming-file'
import { createListUpdater } from './list-updater'
import { createRecordingFolders } from './recording-folders'
import { accountOfKey, buildLocalKey } from './recording-keys'
import { namesInAllFormats, createRecordingFinder } from './recording-lookup'
import { createRecordingWriter } from './recording-writer'
import { createStorageTimeoutSignal } from './storage-timeout'
import { applyRetention } from './retention'
import { listAndUpload } from './upload-retries'

export interface RecordingStoreOptions extends Omit<BucketUploadOptions, 'folders'> {
  /** The folder of all data of this server. */
  folder: string
  recordingList: RecordingList
  /** Days until files are deleted; 0: never. Objects in buckets are never deleted. */
  retentionDays: number
  /** Maximum bytes of files per account; 0: unlimited. */
  maxBytes: number
  readFreeBytes?: ReadFreeBytes
  clock?: () => number
}

/** Creates the store of recordings. It writes files first, so that an unreachable bucket does not interrupt a recording. */
export const createRecordingStore = (options: RecordingStoreOptions): RecordingStore => {
  const {
    findBucket,
    recordingList,
    logError,
    retentionDays,
    maxBytes,
    readFreeBytes = readFreeDiskBytes,
    clock = Date.now,
  } = options
  const folders = createRecordingFolders(options.folder)
  const { paths } = folders
  const diskUsage = createDiskUsageTracker({ folders: Object.values(paths), maxBytes, clock })
  const uploads = createBucketUploader({ ...options, folders })
  const listUpdater = createListUpdater(recordingList, logError)

  const storeRecording = async (key: string) => {
    const hasBucket = (await findBucket(accountOfKey(key))) !== undefined
    await (hasBucket ? folders.pending : folders.local).moveFrom(key, folders.incoming)
    const isListed = await listUpdater.addNewRecording(key)
    // Only local files are listed later, so a recording must be listed before its file leaves this server.
    if (hasBucket && isListed) void uploads.startUpload(key)
  }
  const { waitForUpload } = uploads
  const writer = createRecordingWriter({
    folders,
    diskUsage,
    readFreeBytes,
    waitForUpload,
    storeRecording,
    logError,
  })

  const recovery = recoverFromCrash(folders, () => writer.recoverInterrupted(), logError)
  const findObject = createRecordingFinder(folders, uploads.openAccountBucket)

  return {
    async startRecording(account_sid, name, metadata, liveAudioFormat) {
      await recovery
      return writer.start(buildLocalKey(account_sid, name), { ...metadata, accountSid: account_sid }, liveAudioFormat)
    },

    async findRecording(account_sid, name) {
      await recovery
      const object = await findObject(account_sid, name)
      if (!object) return undefined
      const { storage, key, format, size } = object
      return { format, size, open: (signal, range) => storage.open(key, signal, range) }
    },

    findAccounts: (call_sid) => recordingList.findAccounts(call_sid),

    async isKnownButMissing(account_sid, name) {
      if (await findBucket(account_sid)) return false
      const listedRecordings = await recordingList.findByCalls([{ account_sid, call_sid: name.call_sid }])
      return listedRecordings.some(
        (recording) => buildBucketKey({ ...recording.name, format: name.format }) === buildBucketKey(name),
      )
    },

    async removeRecording(account_sid, name) {
      await recovery
      for (const candidate of namesInAllFormats(name)) await waitForUpload(buildLocalKey(account_sid, candidate))
      const object = await findObject(account_sid, name)
      await object?.storage.remove(object.key, createStorageTimeoutSignal())
      diskUsage.reset(account_sid.toLowerCase())
      // A recording that is not here may be in the files of another server.
      if (object) await recordingList.remove({ account_sid, name })
      return object !== undefined
    },

    async removeByAccount(account_sid) {
      await writer.discardByAccount(account_sid.toLowerCase())
      for (const path of Object.values(paths))
        await rm(join(path, account_sid.toLowerCase()), { recursive: true, force: true })
      await recordingList.removeByAccount(account_sid)
    },

    async retryAndPrune(signal) {
      await recovery
      await writer.recoverInterrupted()
      await listAndUpload({ folders, listUpdater, uploads, signal })
      await applyRetention({ folders, recordingList, retentionDays, clock })
    },

    async close() {
      await recovery
      await writer.endAll()
      await uploads.close()
    },
  }
}
