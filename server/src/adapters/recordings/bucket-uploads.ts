import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { getRecordingMimeType } from '@trunkline/contract/calls/recording'
import type { OpenObjectStorage } from '../../ports/object-storage'
import { createBucketCache, maxRequestMs } from './bucket-cache'
import { buildObjectMetadata } from './metadata'
import type { RecordingFolders } from './recording-folders'
import { accountOfKey, toBucketKey } from './recording-keys'

export interface BucketUploadOptions {
  folders: RecordingFolders
  /** The bucket credential of an account; undefined without a bucket. */
  findBucket: (account_sid: string) => Promise<BucketCredential | undefined>
  openBucket: OpenObjectStorage
  /** Logs an error of background work. */
  logError: (message: string) => void
}

/** Creates the background uploader of pending recordings to the buckets of their accounts. */
export const createBucketUploader = ({ folders, findBucket, openBucket, logError }: BucketUploadOptions) => {
  const buckets = createBucketCache(openBucket)
  const activeUploads = new Map<string, Promise<boolean>>()

  const openAccountBucket = async (account_sid: string) => {
    const credential = await findBucket(account_sid)
    return credential && { credential, storage: await buckets.get(account_sid, credential) }
  }

  const upload = async (key: string): Promise<void> => {
    const bucket = await openAccountBucket(accountOfKey(key))
    // The account no longer has a bucket, so its recording stays on this server.
    if (!bucket) return folders.local.moveFrom(key, folders.pending)
    const signal = AbortSignal.timeout(maxRequestMs)
    const object = await folders.pending.stat(key, signal)
    if (!object) return
    const content = {
      stream: await folders.pending.open(key, signal),
      size: object.size,
      type: getRecordingMimeType(key.endsWith('.mp3') ? 'mp3' : 'wav'),
      metadata: buildObjectMetadata(
        { accountSid: accountOfKey(key), ...object.metadata },
        bucket.credential.tags ?? [],
      ),
    }
    await bucket.storage.write(toBucketKey(key), content, signal)
    await folders.pending.remove(key, signal)
  }

  return {
    /** Opens the bucket of an account; undefined without one. */
    openAccountBucket,

    /**
     * Uploads a recording, or joins its upload in progress. Returns whether the upload succeeded. Errors are logged, and the upload
     * is retried later.
     */
    startUpload(key: string): Promise<boolean> {
      const activeUpload = activeUploads.get(key)
      if (activeUpload) return activeUpload
      const newUpload = upload(key)
        .then(() => true)
        .catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error)
          logError(`The recording ${key} could not be uploaded to its bucket: ${reason}`)
          return false
        })
        .finally(() => activeUploads.delete(key))
      activeUploads.set(key, newUpload)
      return newUpload
    },

    /** Waits until no upload of this recording is in progress. */
    waitForUpload: async (key: string): Promise<void> => {
      await activeUploads.get(key)
    },

    /** Waits for all uploads in progress and closes connections. */
    async close(): Promise<void> {
      await Promise.all([...activeUploads.values()])
      buckets.close()
    },
  }
}

export type BucketUploader = ReturnType<typeof createBucketUploader>
