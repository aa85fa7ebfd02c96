import type { Readable } from 'node:stream'
import type { RecordFormat, RecordingName } from '@trunkline/contract/calls/recording'
import type { ByteRange } from './recordings'

export interface StoredRecording {
  /** May differ from the requested format. */
  format: RecordFormat
  size: number
  open(signal: AbortSignal, range?: ByteRange): Promise<Readable>
}

/** A recording that is being received. Throws StorageFull on a full disk, and keeps everything received before. */
export interface IncomingRecording {
  /** Resolves once the recording can accept more. */
  write(bytes: Buffer): Promise<void>
  /** Completes the file and stores it. */
  end(): Promise<void>
  /** Discards the recording. */
  drop(): Promise<void>
}

/** Raw audio: interleaved 16-bit samples of two channels. */
export interface RawAudio {
  sampleRate: number
}

/** Another upload of the same call is in progress. */
export class UploadInProgress extends Error {}

/** The recordings of the account on this server have reached their limit. */
export class QuotaReached extends Error {
  constructor(readonly maxBytes: number) {
    super(`the account keeps ${maxBytes} bytes of recordings, which is the most that it may keep on this server`)
  }
}

export interface RecordingEntry {
  account_sid: string
  name: RecordingName
}

/** Lists which calls have recordings. The call record cannot tell, because it may arrive before or after the recording. */
export interface RecordingList {
  add(recordings: readonly RecordingEntry[]): Promise<void>
  /** Removes the entry, whatever its format. */
  drop(recording: RecordingEntry): Promise<void>
  /** Removes all entries of an account. */
  forget(account_sid: string): Promise<void>
  /** The accounts that have a recording of a call with this SID. */
  accountsOf(call_sid: string): Promise<string[]>
  /** The recordings of these calls. */
  of(calls: readonly { account_sid: string; call_sid: string }[]): Promise<RecordingEntry[]>
}

/** The recordings of all accounts: in the data folder or in the account's bucket. */
export interface RecordingArchive {
  /** Starts to receive a recording. `metadata` comes from the sender. Without `rawAudio`, the sender sends a complete file. */
  startUpload(
    account_sid: string,
    name: RecordingName,
    metadata: Record<string, string>,
    rawAudio?: RawAudio,
  ): Promise<IncomingRecording>
  /** Tries all formats, starting with the one in `name`. */
  find(account_sid: string, name: RecordingName): Promise<StoredRecording | undefined>
  /** The accounts that have a recording of a call with this SID. */
  accountsOf(call_sid: string): Promise<string[]>
  /**
   * Whether a recording that `find` does not find has been received. If so, another server on this database has the file, or
   * the file is lost. Always false for an account with a bucket.
   */
  isKnown(account_sid: string, name: RecordingName): Promise<boolean>
  /** Returns whether the recording existed. */
  remove(account_sid: string, name: RecordingName): Promise<boolean>
  /** Deletes the recordings of a deleted account from this server. */
  forget(account_sid: string): Promise<void>
  /** Retries failed uploads to buckets, and deletes recordings that are older than their retention period. */
  prune(): Promise<void>
  /** Completes the recordings that are being received, and closes connections. */
  close(): Promise<void>
}
