import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import type { ObjectStorage, OpenObjectStorage } from '../../ports/object-storage'
import { audioOnlyStorage } from './audio-only-storage'

/** Maximum open buckets. Each has connections and possibly temporary role credentials. */
const maxOpen = 50

interface CacheEntry {
  credential: string
  storage: Promise<ObjectStorage>
}

const close = ({ storage }: CacheEntry) => void storage.then((recordings) => recordings.close()).catch(() => undefined)

/** Caches open buckets, least recently used first out: players read a recording in many requests. */
export const bucketCache = (open: OpenObjectStorage) => {
  const entries = new Map<string, CacheEntry>()

  const remove = (account_sid: string) => {
    const entry = entries.get(account_sid)
    if (!entry) return
    entries.delete(account_sid)
    close(entry)
  }

  return {
    /** The bucket of an account. It is reopened if the credential has changed. */
    get(account_sid: string, credential: BucketCredential): Promise<ObjectStorage> {
      const credentialJson = JSON.stringify(credential)
      const cached = entries.get(account_sid)
      if (cached?.credential !== credentialJson) remove(account_sid)
      const entry = entries.get(account_sid) ?? {
        credential: credentialJson,
        storage: open(credential, account_sid).then(audioOnlyStorage),
      }
      entries.delete(account_sid)
      entries.set(account_sid, entry)
      entry.storage.catch(() => entries.get(account_sid) === entry && entries.delete(account_sid))
      const [oldest] = entries.keys()
      if (entries.size > maxOpen && oldest) remove(oldest)
      return entry.storage
    },
    close(): void {
      for (const account_sid of [...entries.keys()]) remove(account_sid)
    },
  }
}
