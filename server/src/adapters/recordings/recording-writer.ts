import { UploadInProgressError, type IncomingRecording, type LiveAudioFormat } from '../../ports/recording-store'
import { openClientUpload } from './client-uploads'
import type { DiskUsageTracker } from './disk-usage'
import { createLiveRecordings, type RecordingWriterOptions } from './live-recordings'
import { accountOfKey, listKeys } from './recording-keys'

/** Creates the writer of arriving recordings. Each key has at most one recording in progress. */
export const createRecordingWriter = (
  options: RecordingWriterOptions & { diskUsage: DiskUsageTracker; logError: (message: string) => void },
) => {
  const { folders, diskUsage, logError } = options
  const liveRecordings = createLiveRecordings(options)
  /** Recordings in progress by key; undefined while the file is being opened or recovered. */
  const activeRecordings = new Map<string, IncomingRecording | undefined>()

  const openRecording = async (
    key: string,
    metadata: Record<string, string>,
    liveAudioFormat?: LiveAudioFormat,
  ): Promise<IncomingRecording> => {
    const usageCounter = await diskUsage.startCounter(accountOfKey(key))
    const recording = { key, metadata, usageCounter }
    try {
      return await (liveAudioFormat
        ? liveRecordings.open(recording, liveAudioFormat)
        : openClientUpload(options, recording))
    } catch (error) {
      usageCounter.cancel()
      throw error
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

    /** Stores the live recordings that have no writer: a crash interrupted them, or they could not be stored at their end. */
    async recoverInterrupted(): Promise<void> {
      for (const key of await listKeys(folders.paths.incoming)) {
        if (activeRecordings.has(key)) continue
        activeRecordings.set(key, undefined)
        try {
          await liveRecordings.recover(key)
        } catch (error) {
          // A recording that ended in the meantime is no longer in this folder.
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
            logError(
              `The recording ${key} could not be stored: ${error instanceof Error ? error.message : String(error)}`,
            )
        } finally {
          activeRecordings.delete(key)
        }
      }
    },

    /** Discards the recordings in progress of an account. */
    async discardByAccount(account_sid: string): Promise<void> {
      for (const [key, recording] of activeRecordings) if (accountOfKey(key) === account_sid) await recording?.discard()
    },

    /** Completes all recordings in progress. */
    async endAll(): Promise<void> {
      const recordings = [...activeRecordings.values()]
      await Promise.allSettled(recordings.flatMap((recording) => (recording ? [recording.end()] : [])))
    },
  }
}
