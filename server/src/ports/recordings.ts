import { randomUUID } from 'node:crypto'
import { addAbortSignal, Readable } from 'node:stream'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { messages } from '@trunkline/contract/messages/bucket'

/** Why a storage did not do what it was asked: words for a person, in which no secret stands. */
export class StorageFault extends Error {}

/** What is written, and what is said of it. */
export interface Content {
  stream: Readable
  /** Bytes. */
  size: number
  type: string
  /** Beside the bytes, for whoever reads them without us. */
  about: Record<string, string>
}

/** What is known of an object before it is read. */
export interface Known {
  size: number
  /** The media type that its storage says it has. */
  type?: string | undefined
  /** What was said of it when it was written; its names in small letters. */
  about: Record<string, string>
}

/** Bytes of an object; both ends count. */
export interface Stretch {
  from: number
  to: number
}

/** The place where an account's recordings lie. What fails, fails with a StorageFault; every call ends with the signal. */
export interface Recordings {
  write(key: string, content: Content, signal: AbortSignal): Promise<void>
  /** Undefined: there is no such object. */
  look(key: string, signal: AbortSignal): Promise<Known | undefined>
  open(key: string, signal: AbortSignal, stretch?: Stretch): Promise<Readable>
  remove(key: string, signal: AbortSignal): Promise<void>
  /** Lets go of connections. */
  close(): void
}

/** Opens the place that a complete credential names, for the account that it belongs to. */
export type RecordingsOf = (credential: BucketCredential, account_sid: string) => Promise<Recordings>

const sample = Buffer.from('A small object, written to see whether recordings can be kept here.')

const saying = async <Answer>(step: (why: string) => string, work: Promise<Answer>): Promise<Answer> => {
  try {
    return await work
  } catch (error) {
    throw error instanceof StorageFault ? new StorageFault(step(error.message)) : error
  }
}

const readAll = async (recordings: Recordings, key: string, signal: AbortSignal): Promise<Buffer> => {
  const stream = addAbortSignal(signal, await recordings.open(key, signal))
  const parts: Buffer[] = []
  try {
    for await (const part of stream) parts.push(Buffer.from(part as Uint8Array))
  } catch {
    throw new StorageFault(signal.aborted ? messages.fault.silent : messages.fault.unknown)
  }
  return Buffer.concat(parts)
}

/** Writes a small object, reads it back and deletes it: what recordings will need. Throws a StorageFault. */
export const probe = async (recordings: Recordings, signal: AbortSignal): Promise<void> => {
  const { fault } = messages
  const key = `trunkline-test-${randomUUID()}.txt`
  const content = { stream: Readable.from([sample]), size: sample.length, type: 'text/plain', about: {} }
  await saying(fault.write, recordings.write(key, content, signal))
  try {
    const back = await saying(fault.read, readAll(recordings, key, signal))
    if (!back.equals(sample)) throw new StorageFault(fault.read(fault.differs))
  } catch (error) {
    // what cannot be read may still be taken away; why it cannot is the news
    await recordings.remove(key, signal).catch(() => undefined)
    throw error
  }
  await saying(fault.remove, recordings.remove(key, signal))
}
