import type { Readable } from 'node:stream'
import type { RecordFormat, RecordingName } from '@trunkline/contract/calls/recording'
import type { ByteRange } from './recordings'

/** A recording that was found. */
export interface StoredRecording {
  /** How it is encoded, which is not always what was asked for. */
  format: RecordFormat
  size: number
  open(signal: AbortSignal, range?: ByteRange): Promise<Readable>
}

/** A recording that comes in. What does not fit on the disk throws StorageFull; what came before is kept all the same. */
export interface IncomingRecording {
  /** Resolves when more may come. */
  write(bytes: Buffer): Promise<void>
  /** Makes of what came a file that can be played, and keeps it. */
  end(): Promise<void>
  /** Keeps nothing of it. */
  drop(): Promise<void>
}

/** Sound as it is spoken: numbers of 16 bits, of two channels in turn. Without it, a file as it is. */
export interface RawAudio {
  sampleRate: number
}

/** The same call is being written by somebody else at this moment. */
export class UploadInProgress extends Error {}

/** The account keeps as many recordings on this server as it may. */
export class QuotaReached extends Error {
  constructor(readonly maxBytes: number) {
    super(`the account keeps ${maxBytes} bytes of recordings, which is the most that it may keep on this server`)
  }
}

/** A recording that is kept, and whose it is. */
export interface RecordingEntry {
  account_sid: string
  name: RecordingName
}

/** Of which calls recordings are kept: a call's own record does not know, which may come before or after. */
export interface RecordingList {
  add(recordings: readonly RecordingEntry[]): Promise<void>
  /** In whichever format. */
  drop(recording: RecordingEntry): Promise<void>
  /** Drops all of an account. */
  forget(account_sid: string): Promise<void>
  /** The accounts that keep a recording of a call with this SID. */
  accountsOf(call_sid: string): Promise<string[]>
  /** Those of these calls, by day. */
  of(calls: readonly { account_sid: string; call_sid: string }[]): Promise<RecordingEntry[]>
}

/** Where recordings of calls are: each account's own, wherever it keeps them. */
export interface RecordingArchive {
  /** Begins to take one in. `about` is what its writer said of it. */
  startUpload(
    account_sid: string,
    name: RecordingName,
    metadata: Record<string, string>,
    rawAudio?: RawAudio,
  ): Promise<IncomingRecording>
  /** Looks in each format, in the one of the name first. */
  find(account_sid: string, name: RecordingName): Promise<StoredRecording | undefined>
  /** The accounts that keep a recording of a call with this SID. */
  accountsOf(call_sid: string): Promise<string[]>
  /**
   * Is a recording that cannot be found known to have come in? Then it is in the files of another server on the same database, or its
   * file is gone. Always false for an account with a bucket.
   */
  isKnown(account_sid: string, name: RecordingName): Promise<boolean>
  /** Whether there was one. */
  remove(account_sid: string, name: RecordingName): Promise<boolean>
  /** Deletes what is kept here of an account that is gone. */
  forget(account_sid: string): Promise<void>
  /** Brings to the buckets what could not be brought there before, and lets go of what is older than it is to be kept. */
  prune(): Promise<void>
  /** Ends what comes in and lets go of connections. */
  close(): Promise<void>
}
