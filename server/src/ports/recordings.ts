import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'

/** Why a storage did not do what it was asked: words for a person, in which no secret stands. */
export class StorageError extends Error {}

/** What is written, and what is said of it. */
export interface NewObject {
  stream: Readable
  /** Bytes. */
  size: number
  type: string
  /** Beside the bytes, for whoever reads them without us. */
  userMetadata: Record<string, string>
}

/** What is known of an object before it is read. */
export interface ObjectInfo {
  size: number
  /** The media type that its storage says it has. */
  type?: string | undefined
  /** What was said of it when it was written; its names in small letters. */
  userMetadata: Record<string, string>
}

/** Bytes of an object; both ends count. */
export interface ByteRange {
  from: number
  to: number
}

/** The place where an account's recordings lie. What fails, fails with a StorageFault; every call ends with the signal. */
export interface RecordingStore {
  write(key: string, object: NewObject, signal: AbortSignal): Promise<void>
  /** Undefined: there is no such object. */
  statObject(key: string, signal: AbortSignal): Promise<ObjectInfo | undefined>
  open(key: string, signal: AbortSignal, range?: ByteRange): Promise<Readable>
  remove(key: string, signal: AbortSignal): Promise<void>
  /** Lets go of connections. */
  close(): void
}

/** Opens the place that a complete credential names, for the account that it belongs to. */
export type OpenRecordingStore = (credential: BucketCredential, account_sid: string) => Promise<RecordingStore>

const sample = Buffer.from('A small object, written to see whether recordings can be kept here.')

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

/** Writes a small object, reads it back and deletes it: what recordings will need. Throws a StorageFault. */
export const probeRecordingStore = async (store: RecordingStore, signal: AbortSignal): Promise<void> => {
  const { fault } = messages
  const key = `trunkline-test-${randomUUID()}.txt`
  const object = { stream: Readable.from([sample]), size: sample.length, type: 'text/plain', userMetadata: {} }
  await withStep(fault.write, store.write(key, object, signal))
  try {
    const back = await withStep(fault.read, readAll(store, key, signal))
    if (!back.equals(sample)) throw new StorageError(fault.read(fault.differs))
  } catch (error) {
    // what cannot be read may still be taken away; why it cannot is the news
    await store.remove(key, signal).catch(() => undefined)
    throw error
  }
  await withStep(fault.remove, store.remove(key, signal))
}
