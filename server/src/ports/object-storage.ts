import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'

/** A storage operation failed. The message is for users and contains no secret. */
export class StorageError extends Error {}

/** An object to write. */
export interface ObjectContent {
  stream: Readable
  /** In bytes. */
  size: number
  /** The media type. */
  type: string
  /** Metadata, stored with the object for other readers of the bucket. */
  metadata: Record<string, string>
}

/** The properties of an object. */
export interface StoredObject {
  /** In bytes. */
  size: number
  /** The media type that the storage reports. */
  type?: string | undefined
  /** The metadata that was written; names in lower case. */
  metadata: Record<string, string>
}

/** A range of bytes, both ends included. */
export interface ByteRange {
  from: number
  to: number
}

/** An object storage for recordings. Operations fail with StorageError and end when the signal aborts. */
export interface ObjectStorage {
  write(key: string, content: ObjectContent, signal: AbortSignal): Promise<void>
  /** Undefined if there is no such object. */
  stat(key: string, signal: AbortSignal): Promise<StoredObject | undefined>
  open(key: string, signal: AbortSignal, range?: ByteRange): Promise<Readable>
  remove(key: string, signal: AbortSignal): Promise<void>
  /** Closes connections. */
  close(): void
}

/** Opens the storage of a complete credential for its account. */
export type OpenObjectStorage = (credential: BucketCredential, account_sid: string) => Promise<ObjectStorage>

const sampleObject = Buffer.from('A test object that checks whether recordings can be stored here.')

/** Replaces the message of a StorageError by one that also names the failed step. */
const addErrorContext = async <Result>(
  describeError: (reason: string) => string,
  operation: Promise<Result>,
): Promise<Result> => {
  try {
    return await operation
  } catch (error) {
    throw error instanceof StorageError ? new StorageError(describeError(error.message)) : error
  }
}

const readAll = async (storage: ObjectStorage, key: string, signal: AbortSignal): Promise<Buffer> => {
  const stream = addAbortSignal(signal, await storage.open(key, signal))
  const parts: Buffer[] = []
  try {
    for await (const part of stream) parts.push(Buffer.from(part as Uint8Array))
  } catch {
    throw new StorageError(signal.aborted ? messages.failure.timeout : messages.failure.unexpectedResponse)
  }
  return Buffer.concat(parts)
}

/** Writes a small object, reads it back and deletes it, as recordings require. Throws StorageError. */
export const testStorage = async (storage: ObjectStorage, signal: AbortSignal): Promise<void> => {
  const { failure } = messages
  const key = `trunkline-test-${randomUUID()}.txt`
  const content = { stream: Readable.from([sampleObject]), size: sampleObject.length, type: 'text/plain', metadata: {} }
  await addErrorContext(failure.write, storage.write(key, content, signal))
  try {
    const storedContent = await addErrorContext(failure.read, readAll(storage, key, signal))
    if (!storedContent.equals(sampleObject)) throw new StorageError(failure.read(failure.differentContent))
  } catch (error) {
    // An object that cannot be read may still be deletable. The read error is reported.
    await storage.remove(key, signal).catch(() => undefined)
    throw error
  }
  await addErrorContext(failure.remove, storage.remove(key, signal))
}
