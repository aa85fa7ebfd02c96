import { LRUCache } from 'lru-cache'
import { isAudio } from '../../ports/audio-signature'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type StoredObject, type ObjectStorage } from '../../ports/object-storage'

/** Bytes that identify the file format. */
const signatureBytes = 12
const maxVerifiedObjects = 1_000

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
 * Restricts a storage to audio. Tenants choose the server behind a bucket, and must not read other content of internal
 * servers through this one.
 */
export const createAudioOnlyStorage = (storage: ObjectStorage): ObjectStorage => {
  /** Objects that have no audio type, but verified audio content. */
  const verifiedObjects = new LRUCache<string, true>({ max: maxVerifiedObjects })

  const verifyAudio = async (key: string, { size, type }: StoredObject, signal: AbortSignal): Promise<void> => {
    const objectKey = `${key} ${size}`
    if (size === 0 || type?.startsWith('audio/') || verifiedObjects.has(objectKey)) return
    const firstBytes = await readFirstBytes(storage, key, signal)
    if (!isAudio(firstBytes)) throw new StorageError(messages.failure.notAudio)
    verifiedObjects.set(objectKey, true)
  }

  return {
    ...storage,
    async stat(key, signal) {
      const properties = await storage.stat(key, signal)
      if (properties) await verifyAudio(key, properties, signal)
      return properties
    },
  }
}
