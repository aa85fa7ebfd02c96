import { recordFormats } from '@trunkline/contract/calls/bucket'
import type { RecordingName } from '@trunkline/contract/calls/recording'
import type { ObjectStorage } from '../../ports/object-storage'
import type { BucketUploader } from './bucket-uploads'
import type { RecordingFolders } from './recording-folders'
import { buildLocalKey, toBucketKey } from './recording-keys'
import { createStorageTimeoutSignal } from './storage-timeout'

/** Returns the name in every format, the requested one first. */
export const namesInAllFormats = (name: RecordingName) =>
  [name.format, ...recordFormats.filter((format) => format !== name.format)].map((format) => ({ ...name, format }))

/** Does an object belong to another account? Accounts may share a bucket; the keys in it do not contain the account, but the metadata does. */
const isForeign = ({ accountsid = '' }: Record<string, string>, account_sid: string) =>
  accountsid !== '' && accountsid.toLowerCase() !== account_sid.toLowerCase()

/** Finds a recording in one storage, in any format. `toStorageKey` converts the key to that of the storage. */
const findInStorage = async (
  storage: ObjectStorage,
  account_sid: string,
  name: RecordingName,
  toStorageKey = (key: string) => key,
) => {
  for (const candidate of namesInAllFormats(name)) {
    const key = toStorageKey(buildLocalKey(account_sid, candidate))
    const object = await storage.stat(key, createStorageTimeoutSignal())
    if (object && !isForeign(object.metadata, account_sid))
      return { storage, key, format: candidate.format, size: object.size }
  }
  return undefined
}

/** Creates a finder of recordings: in the local folders first, then in the bucket of their account. */
export const createRecordingFinder =
  ({ local, pending }: RecordingFolders, openAccountBucket: BucketUploader['openAccountBucket']) =>
  async (account_sid: string, name: RecordingName) => {
    const localFile =
      (await findInStorage(local, account_sid, name)) ?? (await findInStorage(pending, account_sid, name))
    if (localFile) return localFile
    const bucket = await openAccountBucket(account_sid)
    return bucket && findInStorage(bucket.storage, account_sid, name, toBucketKey)
  }
