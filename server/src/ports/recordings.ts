import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'

/** A storage request failed. The message is for users and contains no secret. */
export class StorageError extends Error {}

export interface NewObject {
  stream: Readable
  /** In bytes. */
  size: number
  type: string
  /** Stored with the object, for other readers of the bucket. */
  userMetadata: Record<string, string>
}

export interface ObjectInfo {
  size: number
  /** The media type, if the storage reports one. */
  type?: string | undefined
  /** The metadata of the object, with names in lower case. */
  userMetadata: Record<string, string>
}

/** A range of bytes; both ends are inclusive. */
export interface ByteRange {
  from: number
  to: number
}

/** The storage for the recordings of an account. Failures throw StorageError; the signal aborts a request. */
export interface RecordingStore {
  write(key: string, object: NewObject, signal: AbortSignal): Promise<void>
  /** Undefined if the object does not exist. */
  statObject(key: string, signal: AbortSignal): Promise<ObjectInfo | undefined>
  open(key: string, signal: AbortSignal, range?: ByteRange): Promise<Readable>
  remove(key: string, signal: AbortSignal): Promise<void>
  /** Closes connections. */
  close(): void
}

/** Opens the storage that a complete credential describes, for the account that owns it. */
export type OpenRecordingStore = (credential: BucketCredential, account_sid: string) => Promise<RecordingStore>

const sample = Buffer.from('A small object that tests whether recordings can be stored here.')

const withStep = async <Answer>(step: (reason: string) => string, work: Promise<Answer>): Promise<Answer> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof StorageError ? new StorageError(step(error.message)) : error
  }
}

const readAll = async (store: RecordingStore, key: string, signal: AbortSignal): Promise<Buffer> => {
  const stream = addAbortSignal(signal, await store.open(key, signal))
  const parts: Buffer[] = []
  try {
    for await (const part of stream) parts.push(Buffer.from(part as Uint8Array))
  } catch {
    throw new StorageError(signal.aborted ? messages.fault.silent : messages.fault.unknown)
  }
  return Buffer.concat(parts)
}

/** Tests the permissions that recordings need: writes, reads and deletes a small object. Throws StorageError. */
export const probeRecordingStore = async (store: RecordingStore, signal: AbortSignal): Promise<void> => {
  const { fault } = messages
  const key = `trunkline-test-${randomUUID()}.txt`
  const object = { stream: Readable.from([sample]), size: sample.length, type: 'text/plain', userMetadata: {} }
  await withStep(fault.write, store.write(key, object, signal))
  try {
    const back = await withStep(fault.read, readAll(store, key, signal))
    if (!back.equals(sample)) throw new StorageError(fault.read(fault.differs))
  } catch (error) {
    // Tries to clean up, but reports why reading failed.
    await store.remove(key, signal).catch(() => undefined)
    throw error
  }
  await withStep(fault.remove, store.remove(key, signal))
}
