import { LRUCache } from 'lru-cache'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import type { ObjectStorage, OpenObjectStorage } from '../../ports/object-storage'
import { audioOnlyStorage } from './audio-only-storage'

/** Maximum open buckets. Each has connections and possibly temporary role credentials. */
const maxOpen = 50

interface CacheEntry {
  credential: string
  storage: Promise<ObjectStorage>
}

/** Caches open buckets, least recently used first out: players read a recording in many requests. */
export const bucketCache = (open: OpenObjectStorage) => {
  const entries = new LRUCache<string, CacheEntry>({
    max: maxOpen,
    dispose: ({ storage }) => void storage.then((recordings) => recordings.close()).catch(() => undefined),
  })

  return {
    /** The bucket of an account. It is reopened if the credential has changed. */
    get(account_sid: string, credential: BucketCredential): Promise<ObjectStorage> {
      const credentialJson = JSON.stringify(credential)
      const cached = entries.get(account_sid)
      if (cached?.credential === credentialJson) return cached.storage
      const entry = { credential: credentialJson, storage: open(credential, account_sid).then(audioOnlyStorage) }
      entries.set(account_sid, entry)
      entry.storage.catch(() => entries.peek(account_sid) === entry && entries.delete(account_sid))
      return entry.storage
    },
    close(): void {
      entries.clear()
    },
  }
}
