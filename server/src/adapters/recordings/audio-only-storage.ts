import { LRUCache } from 'lru-cache'
import { isAudio } from '../../ports/audio-signature'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type StoredObject, type ObjectStorage } from '../../ports/object-storage'

/** Bytes that identify the file format. */
const signatureBytes = 12
const maxVerified = 1_000

const readFirstBytes = async (storage: ObjectStorage, key: string, signal: AbortSignal): Promise<Buffer> => {
  const stream = await storage.open(key, signal, { from: 0, to: signatureBytes - 1 })
  let firstBytes: Buffer = Buffer.alloc(0)
  try {
    for await (const part of stream) {
      firstBytes = Buffer.concat([firstBytes, part as Buffer])
      if (firstBytes.length >= signatureBytes) break
    }
  } catch {
    throw new StorageError(messages.failure.unexpectedResponse)
  }
  return firstBytes
}

/**
 * A storage that returns only audio. Tenants choose the server behind a bucket, and must not read other content of internal
 * servers through this one.
 */
export const audioOnlyStorage = (storage: ObjectStorage): ObjectStorage => {
  /** Objects without an audio type whose content has been verified. */
  const verifiedObjects = new LRUCache<string, true>({ max: maxVerified })

  const verify = async (key: string, { size, type }: StoredObject, signal: AbortSignal): Promise<void> => {
    const object = `${key} ${size}`
    if (size === 0 || type?.startsWith('audio/') || verifiedObjects.has(object)) return
    const firstBytes = await readFirstBytes(storage, key, signal)
    if (!isAudio(firstBytes)) throw new StorageError(messages.failure.notAudio)
    verifiedObjects.set(object, true)
  }

  return {
    ...storage,
    async stat(key, signal) {
      const properties = await storage.stat(key, signal)
      if (properties) await verify(key, properties, signal)
      return properties
    },
  }
}
