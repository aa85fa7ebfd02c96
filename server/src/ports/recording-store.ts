import type { Readable } from 'node:stream'
import type { RecordFormat, RecordingName } from '@trunkline/contract/calls/recording'
import type { ByteRange } from './object-storage'

/** A recording that exists. */
export interface RecordingFile {
  /** The actual format, which may differ from the requested one. */
  format: RecordFormat
  /** In bytes. */
  size: number
  open(signal: AbortSignal, range?: ByteRange): Promise<Readable>
}

/** A recording that is being written. If the disk is full, `write` throws StorageFullError, and the audio before that is kept. */
export interface IncomingRecording {
  /** Resolves when more can be written. */
  write(bytes: Buffer): Promise<void>
  /** Completes the file and stores it. If this fails, live audio is stored later, and an uploaded file is discarded. */
  end(): Promise<void>
  /** Discards everything. */
  discard(): Promise<void>
}

/** The format of live audio: 16-bit samples of two interleaved channels. Absent for complete files. */
export interface LiveAudioFormat {
  /** In hertz. */
  sampleRate: number
}

/** Another writer is writing the same recording. */
export class UploadInProgressError extends Error {}

/** The recordings of the account use up its quota on this server. */
export class QuotaReachedError extends Error {
  constructor(readonly maxBytes: number) {
    super(`the account's recordings on this server have reached their limit of ${maxBytes} bytes`)
  }
}

/** A stored recording and its account. */
export interface StoredRecording {
  account_sid: string
  name: RecordingName
}

/** The list of stored recordings. Separate from call records, because a recording may arrive before or after its record. */
export interface RecordingList {
  add(recordings: readonly StoredRecording[]): Promise<void>
  /** Removes a recording in any format. */
  remove(recording: StoredRecording): Promise<void>
  /** Removes all recordings of an account. */
  removeByAccount(account_sid: string): Promise<void>
  /** The accounts that have a recording of a call with this SID. */
  findAccounts(call_sid: string): Promise<string[]>
  /** The recordings of these calls, oldest day first. */
  findByCalls(calls: readonly { account_sid: string; call_sid: string }[]): Promise<StoredRecording[]>
}

/** Stores recordings of calls, in each account's bucket or in files. */
export interface RecordingStore {
  /** Starts a recording. `metadata` comes from its writer. */
  startRecording(
    account_sid: string,
    name: RecordingName,
    metadata: Record<string, string>,
    liveAudioFormat?: LiveAudioFormat,
  ): Promise<IncomingRecording>
  /** Searches all formats, starting with the format of the name. */
  findRecording(account_sid: string, name: RecordingName): Promise<RecordingFile | undefined>
  /** The accounts that have a recording of a call with this SID. */
  findAccounts(call_sid: string): Promise<string[]>
  /**
   * Whether the list has a recording that `findRecording` did not find. If so, its file is on another server that uses the same
   * database, or lost. Always false for an account with a bucket.
   */
  isKnownButMissing(account_sid: string, name: RecordingName): Promise<boolean>
  /** Returns whether the recording existed. */
  removeRecording(account_sid: string, name: RecordingName): Promise<boolean>
  /** Deletes the local recordings of a deleted account, including those in progress. */
  removeByAccount(account_sid: string): Promise<void>
  /** Stores, lists and uploads recordings for which that failed before, and deletes expired files. */
  retryAndPrune(signal?: AbortSignal): Promise<void>
  /** Completes recordings in progress and closes connections. */
  close(): Promise<void>
}
