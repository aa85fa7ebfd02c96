import { randomUUID } from 'node:crypto'
import { open as openFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { recordFormats, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { buildRecordingKey, getRecordingMimeType, type RecordingName } from '@trunkline/contract/calls/recording'
import {
  UploadInProgressError,
  type IncomingRecording,
  type RecordingStore,
  type RecordingList,
  type LiveAudio,
} from '../../ports/recording-store'
import type { ObjectStorage, OpenObjectStorage } from '../../ports/object-storage'
import { bucketCache } from './bucket-cache'
import { openIncomingFile, freeDiskBytes, repairHeader, type FreeBytes } from './incoming-file'
import { fileStorage } from './file-storage'
import { diskUsage } from './disk-usage'
import { metadataOf } from './metadata'
import { applyRetention } from './retention'
import { listKeys, recordingOfKey } from './recording-keys'
import { readWavHeader, headerBytes } from './wav-header'

export interface RecordingStoreOptions {
  folder: string
  /** The bucket credential of an account; undefined without a bucket. */
  findBucket: (account_sid: string) => Promise<BucketCredential | undefined>
  openBucket: OpenObjectStorage
  list: RecordingList
  /** Days until files are deleted; 0: never. Objects in buckets are never deleted. */
  retentionDays: number
  /** Maximum bytes of files per account; 0: unlimited. */
  maxBytes: number
  /** Logs an error of background work. */
  logError: (message: string) => void
  freeBytes?: FreeBytes
  clock?: () => number
}

/** Timeout of an upload to a bucket, in milliseconds. A failed upload is retried later. */
const uploadTimeoutMs = 30 * 60_000
/** Signal for storage operations that a request waits for. */
const requestSignal = () => AbortSignal.timeout(15_000)

const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The name in every format, the requested one first. */
const inAllFormats = (name: RecordingName) =>
  [name.format, ...recordFormats.filter((format) => format !== name.format)].map((format) => ({ ...name, format }))

const keyOf = (account_sid: string, name: RecordingName) => `${account_sid.toLowerCase()}/${buildRecordingKey(name)}`
const accountOf = (key: string) => key.slice(0, key.indexOf('/'))
/** The key within a bucket, which has no account prefix. */
const bucketKey = (key: string) => key.slice(key.indexOf('/') + 1)

/** Accounts may share a bucket, and keys there do not contain the account. The metadata does. */
const isForeign = ({ accountsid = '' }: Record<string, string>, account_sid: string) =>
  accountsid !== '' && accountsid.toLowerCase() !== account_sid.toLowerCase()

/** Can more live audio be appended to this file? */
const canAppend = async (path: string, { sampleRate }: LiveAudio): Promise<boolean> => {
  const file = await openFile(path, 'r').catch(() => undefined)
  if (!file) return false
  const header = Buffer.alloc(headerBytes)
  await file.read(header, 0, headerBytes, 0).finally(() => file.close())
  return readWavHeader(header)?.sampleRate === sampleRate
}

/**
 * Stores recordings. Writes files first, so that an unreachable bucket does not interrupt a recording. Folders: `coming` for
 * recordings in progress, `waiting` for uploads to a bucket, `kept` for accounts without a bucket.
 */
export const recordingStore = (options: RecordingStoreOptions): RecordingStore => {
  const {
    folder,
    findBucket,
    list,
    logError,
    retentionDays,
    maxBytes,
    freeBytes = freeDiskBytes,
    clock = Date.now,
  } = options
  const root = join(folder, 'recordings')
  const folderStorage = (name: string) => fileStorage(join(root, name))
  const [incomingFiles, pendingFiles, localFiles] = [
    folderStorage('coming'),
    folderStorage('waiting'),
    folderStorage('kept'),
  ]
  const uploads = join(root, 'uploads')
  const usage = diskUsage({ folders: ['coming', 'kept', 'waiting'].map((name) => join(root, name)), maxBytes, clock })
  const buckets = bucketCache(options.openBucket)
  /** Recordings in progress by key; undefined while the file is being opened. */
  const activeRecordings = new Map<string, IncomingRecording | undefined>()
  /** Uploads in progress by key. */
  const activeUploads = new Map<string, Promise<void>>()

  const openBucketOf = async (account_sid: string) => {
    const credential = await findBucket(account_sid)
    return credential && { credential, storage: await buckets.get(account_sid, credential) }
  }

  const upload = async (key: string): Promise<void> => {
    const target = await openBucketOf(accountOf(key))
    // The account no longer has a bucket.
    if (!target) return localFiles.moveFrom(key, pendingFiles)
    const signal = AbortSignal.timeout(uploadTimeoutMs)
    const object = await pendingFiles.stat(key, signal)
    if (!object) return
    const content = {
      stream: await pendingFiles.open(key, signal),
      size: object.size,
      type: getRecordingMimeType(key.endsWith('.mp3') ? 'mp3' : 'wav'),
      metadata: metadataOf(object.metadata, target.credential.tags ?? []),
    }
    await target.storage.write(bucketKey(key), content, signal)
    await pendingFiles.remove(key, signal)
  }

  /** Uploads a recording, once at a time. Errors are logged, and the upload is retried later. */
  const startUpload = (key: string): Promise<void> => {
    const current = activeUploads.get(key)
    if (current) return current
    const uploadPromise = upload(key)
      .catch((error: unknown) =>
        logError(`The recording ${key} could not be uploaded to its bucket: ${errorText(error)}`),
      )
      .finally(() => activeUploads.delete(key))
    activeUploads.set(key, uploadPromise)
    return uploadPromise
  }

  /** Does the list contain all local recordings? */
  let isListComplete = false

  /** A stored recording is a success, even if adding it to the list fails. */
  const addToList = async (keys: string[]): Promise<boolean> => {
    try {
      await list.add(keys.flatMap(recordingOfKey))
      return true
    } catch (error) {
      logError(`Recordings could not be added to the list: ${errorText(error)}`)
      return false
    }
  }

  const store = async (key: string) => {
    const hasBucket = (await findBucket(accountOf(key))) !== undefined
    await (hasBucket ? pendingFiles : localFiles).moveFrom(key, incomingFiles)
    isListComplete = (await addToList([key])) && isListComplete
    if (hasBucket) void startUpload(key)
  }

  /** Recovers from a crash: repairs the headers of live recordings, and deletes incomplete uploads. */
  const recover = async () => {
    for (const key of await listKeys(join(root, 'coming')))
      if (await repairHeader(incomingFiles.pathOf(key)).catch(() => false)) await store(key)
    for (const name of ['coming', 'uploads']) await rm(join(root, name), { recursive: true, force: true })
  }
  const recovery = recover().catch((error: unknown) =>
    logError(`Recordings could not be recovered: ${errorText(error)}`),
  )

  const locate = async (account_sid: string, name: RecordingName) => {
    await recovery
    const findIn = async (storage: ObjectStorage, keyFor: (key: string) => string) => {
      for (const candidate of inAllFormats(name)) {
        const key = keyFor(keyOf(account_sid, candidate))
        const object = await storage.stat(key, requestSignal())
        if (object && !isForeign(object.metadata, account_sid))
          return { storage, key, format: candidate.format, size: object.size }
      }
      return undefined
    }
    const sameKey = (key: string) => key
    const local = (await findIn(localFiles, sameKey)) ?? (await findIn(pendingFiles, sameKey))
    const target = local ? undefined : await openBucketOf(account_sid)
    return local ?? (target && (await findIn(target.storage, bucketKey)))
  }

  /** Moves back an earlier part of the call's recording, so that live audio after a reconnect is appended. */
  const resumeRecording = async (key: string, liveAudio: LiveAudio): Promise<boolean> => {
    await activeUploads.get(key)
    for (const storage of [localFiles, pendingFiles])
      if (await canAppend(storage.pathOf(key), liveAudio)) {
        await incomingFiles.moveFrom(key, storage)
        return true
      }
    return false
  }

  /** Opens a file and returns how to write, complete or discard it. */
  const openRecording = async (
    key: string,
    metadata: Record<string, string>,
    liveAudio?: LiveAudio,
  ): Promise<IncomingRecording> => {
    const path = liveAudio ? incomingFiles.pathOf(key) : join(uploads, randomUUID())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const counter = await usage.open(accountOf(key))
    const isAppending = liveAudio !== undefined && (await resumeRecording(key, liveAudio))
    const file = await openIncomingFile({ path, liveAudio, isAppending, freeBytes })
    if (liveAudio) await incomingFiles.writeMetadata(key, metadata)
    const discard = async () => {
      counter.cancel()
      await rm(path, { force: true })
      if (liveAudio) await incomingFiles.remove(key, requestSignal())
    }
    const complete = async () => {
      if (!liveAudio) {
        await incomingFiles.writeMetadata(key, metadata)
        await rename(path, incomingFiles.pathOf(key))
      }
      await store(key)
    }
    return {
      async write(bytes) {
        await counter.add(bytes.length)
        await file.write(bytes)
      },
      async end() {
        const { hasContent, error } = await file.close()
        await (hasContent ? complete() : discard())
        if (error) throw error as Error
      },
      async discard() {
        await file.close()
        await discard()
      },
    }
  }

  const start: RecordingStore['start'] = async (account_sid, name, metadata, liveAudio) => {
    await recovery
    const key = keyOf(account_sid, name)
    if (activeRecordings.has(key)) throw new UploadInProgressError()
    activeRecordings.set(key, undefined)
    const release = () => activeRecordings.delete(key)
    try {
      const openedRecording = await openRecording(key, { ...metadata, accountSid: account_sid }, liveAudio)
      let ending: Promise<void> | undefined
      const recording: IncomingRecording = {
        write: (bytes) => (ending ? Promise.resolve() : openedRecording.write(bytes)),
        end: () => (ending ??= openedRecording.end().finally(release)),
        discard: () => (ending ??= openedRecording.discard().finally(release)),
      }
      activeRecordings.set(key, recording)
      return recording
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    start,

    async find(account_sid, name) {
      const object = await locate(account_sid, name)
      if (!object) return undefined
      const { storage, key, format, size } = object
      return { format, size, open: (signal, range) => storage.open(key, signal, range) }
    },

    accountsOf: (call_sid) => list.accountsOf(call_sid),

    async isListed(account_sid, name) {
      if (await findBucket(account_sid)) return false
      const listedRecordings = await list.findByCalls([{ account_sid, call_sid: name.call_sid }])
      return listedRecordings.some(
        (recording) => buildRecordingKey({ ...recording.name, format: name.format }) === buildRecordingKey(name),
      )
    },

    async remove(account_sid, name) {
      for (const candidate of inAllFormats(name)) await activeUploads.get(keyOf(account_sid, candidate))
      const object = await locate(account_sid, name)
      await object?.storage.remove(object.key, requestSignal())
      usage.reset(account_sid.toLowerCase())
      // A recording that is not here may be in the files of another server.
      if (object) await list.discard({ account_sid, name })
      return object !== undefined
    },

    async removeAccount(account_sid) {
      for (const folderName of ['waiting', 'kept'])
        await rm(join(root, folderName, account_sid.toLowerCase()), { recursive: true, force: true })
      await list.removeAccount(account_sid)
    },

    async prune() {
      await recovery
      const pendingKeys = await listKeys(join(root, 'waiting'))
      // Adds recordings of older versions, and those that could not be added on arrival.
      isListComplete ||= await addToList([...pendingKeys, ...(await listKeys(join(root, 'kept')))])
      for (const key of pendingKeys) await startUpload(key)
      const retention = { list, clock }
      await applyRetention({ ...retention, folder: join(root, 'kept'), files: localFiles, retentionDays })
      // Pending uploads do not expire.
      await applyRetention({ ...retention, folder: join(root, 'waiting'), files: pendingFiles, retentionDays: 0 })
    },

    async close() {
      await recovery
      await Promise.allSettled(
        [...activeRecordings.values()].flatMap((recording) => (recording ? [recording.end()] : [])),
      )
      await Promise.all([...activeUploads.values()])
      buckets.close()
    },
  }
}
