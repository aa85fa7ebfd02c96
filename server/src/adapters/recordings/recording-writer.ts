import { randomUUID } from 'node:crypto'
import { mkdir, open as openFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UploadInProgressError, type IncomingRecording, type LiveAudioFormat } from '../../ports/recording-store'
import type { DiskUsageTracker } from './disk-usage'
import { openIncomingFile, type ReadFreeBytes } from './incoming-file'
import type { RecordingFolders } from './recording-folders'
import { accountOfKey } from './recording-keys'
import { createStorageTimeoutSignal } from './storage-timeout'
import { wavHeaderBytes, parseWavHeader } from './wav-header'

/** Can more live audio be appended to this file? */
const canAppend = async (path: string, { sampleRate }: LiveAudioFormat): Promise<boolean> => {
  const file = await openFile(path, 'r').catch(() => undefined)
  if (!file) return false
  const header = Buffer.alloc(wavHeaderBytes)
  await file.read(header, 0, wavHeaderBytes, 0).finally(() => file.close())
  return parseWavHeader(header)?.sampleRate === sampleRate
}

interface RecordingWriterOptions {
  folders: RecordingFolders
  diskUsage: DiskUsageTracker
  readFreeBytes: ReadFreeBytes
  /** Waits until no upload of this recording to a bucket is in progress. */
  waitForUpload: (key: string) => Promise<void>
  /** Stores a complete recording from the folder `incoming`. */
  storeRecording: (key: string) => Promise<void>
}

/** Creates the writer of arriving recordings. Each key has at most one recording in progress. */
export const createRecordingWriter = (options: RecordingWriterOptions) => {
  const { folders, diskUsage, readFreeBytes, waitForUpload, storeRecording } = options
  /** Recordings in progress by key; undefined while the file is being opened. */
  const activeRecordings = new Map<string, IncomingRecording | undefined>()

  /** Moves an earlier part of the call's recording back to `incoming`, so that live audio after a reconnect is appended to it. */
  const resumeRecording = async (key: string, liveAudioFormat: LiveAudioFormat): Promise<boolean> => {
    await waitForUpload(key)
    for (const storage of [folders.local, folders.pending])
      if (await canAppend(storage.pathOf(key), liveAudioFormat)) {
        await folders.incoming.moveFrom(key, storage)
        return true
      }
    return false
  }

  const openRecording = async (
    key: string,
    metadata: Record<string, string>,
    liveAudioFormat?: LiveAudioFormat,
  ): Promise<IncomingRecording> => {
    const path = liveAudioFormat ? folders.incoming.pathOf(key) : join(folders.paths.clientUploads, randomUUID())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const usageCounter = await diskUsage.startCounter(accountOfKey(key))
    const isAppending = liveAudioFormat !== undefined && (await resumeRecording(key, liveAudioFormat))
    const file = await openIncomingFile({ path, liveAudioFormat, isAppending, readFreeBytes })
    if (liveAudioFormat) await folders.incoming.writeMetadata(key, metadata)
    const removeFiles = async () => {
      usageCounter.cancel()
      await rm(path, { force: true })
      if (liveAudioFormat) await folders.incoming.remove(key, createStorageTimeoutSignal())
    }
    const storeFile = async () => {
      if (!liveAudioFormat) {
        await folders.incoming.writeMetadata(key, metadata)
        await rename(path, folders.incoming.pathOf(key))
      }
      await storeRecording(key)
    }
    return {
      async write(bytes) {
        await usageCounter.add(bytes.length)
        await file.write(bytes)
      },
      async end() {
        const { hasContent, error } = await file.close()
        await (hasContent ? storeFile() : removeFiles())
        if (error) throw error as Error
      },
      async discard() {
        await file.close()
        await removeFiles()
      },
    }
  }

  return {
    /** Starts a recording. Throws UploadInProgressError if the key has a writer. */
    async start(key: string, metadata: Record<string, string>, liveAudioFormat?: LiveAudioFormat) {
      if (activeRecordings.has(key)) throw new UploadInProgressError()
      activeRecordings.set(key, undefined)
      const releaseKey = () => activeRecordings.delete(key)
      try {
        const openedRecording = await openRecording(key, metadata, liveAudioFormat)
        let endPromise: Promise<void> | undefined
        const recording: IncomingRecording = {
          // Audio that arrives after the end is ignored.
          write: (bytes) => (endPromise ? Promise.resolve() : openedRecording.write(bytes)),
          end: () => (endPromise ??= openedRecording.end().finally(releaseKey)),
          discard: () => (endPromise ??= openedRecording.discard().finally(releaseKey)),
        }
        activeRecordings.set(key, recording)
        return recording
      } catch (error) {
        releaseKey()
        throw error
      }
    },

    /** Completes all recordings in progress. */
    async endAll(): Promise<void> {
      const recordings = [...activeRecordings.values()]
      await Promise.allSettled(recordings.flatMap((recording) => (recording ? [recording.end()] : [])))
    },
  }
}
