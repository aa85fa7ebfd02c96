import { LRUCache } from 'lru-cache'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import type { ObjectStorage, OpenObjectStorage } from '../../ports/object-storage'
import { createAudioOnlyStorage } from './audio-only-storage'

/** Each open bucket has connections and possibly temporary role credentials. */
const maxOpenBuckets = 50

/** The longest time that a request to a bucket takes: an upload. */
export const maxRequestMs = 30 * 60_000

interface CacheEntry {
  credentialJson: string
  storage: Promise<ObjectStorage>
}

/** Creates a cache of open buckets, because players read a recording in many requests. */
export const createBucketCache = (openBucket: OpenObjectStorage) => {
  const entries = new LRUCache<string, CacheEntry>({
    max: maxOpenBuckets,
    dispose: ({ storage }, _, reason) => {
      const close = () => void storage.then((openStorage) => openStorage.close()).catch(() => undefined)
      if (reason === 'delete') return close()
      // Requests may be in progress, and closing would interrupt them.
      setTimeout(close, maxRequestMs).unref()
    },
  })

  return {
    /** Returns the bucket of an account. It is reopened if the credential has changed. */
    get(account_sid: string, credential: BucketCredential): Promise<ObjectStorage> {
      const credentialJson = JSON.stringify(credential)
      const cachedEntry = entries.get(account_sid)
      if (cachedEntry?.credentialJson === credentialJson) return cachedEntry.storage
      const entry = { credentialJson, storage: openBucket(credential, account_sid).then(createAudioOnlyStorage) }
      entries.set(account_sid, entry)
      entry.storage.catch(() => entries.peek(account_sid) === entry && entries.delete(account_sid))
      return entry.storage
    },
    close(): void {
      entries.clear()
    },
  }
}
