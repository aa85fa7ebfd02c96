import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'

/** A storage operation failed. The message is for users and contains no secret. */
export class StorageError extends Error {}

/** An object to write. */
export interface Content {
  stream: Readable
  /** In bytes. */
  size: number
  type: string
  /** Metadata, stored with the object for other readers of the bucket. */
  metadata: Record<string, string>
}

/** The properties of an object. */
export interface StoredObject {
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

/** A storage of recordings. Operations fail with StorageError and end when the signal aborts. */
export interface ObjectStorage {
  write(key: string, content: Content, signal: AbortSignal): Promise<void>
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

const withContext = async <Result>(describe: (reason: string) => string, work: Promise<Result>): Promise<Result> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof StorageError ? new StorageError(describe(error.message)) : error
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
  const { failure: fault } = messages
  const key = `trunkline-test-${randomUUID()}.txt`
  const content = { stream: Readable.from([sampleObject]), size: sampleObject.length, type: 'text/plain', metadata: {} }
  await withContext(fault.write, storage.write(key, content, signal))
  try {
    const stored = await withContext(fault.read, readAll(storage, key, signal))
    if (!stored.equals(sampleObject)) throw new StorageError(fault.read(fault.differentContent))
  } catch (error) {
    // An object that cannot be read may still be deletable. The read error is reported.
    await storage.remove(key, signal).catch(() => undefined)
    throw error
  }
  await withContext(fault.remove, storage.remove(key, signal))
}
