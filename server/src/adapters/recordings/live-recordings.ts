import { access, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { IncomingRecording, LiveAudioFormat } from '../../ports/recording-store'
import type { UsageCounter } from './disk-usage'
import { openIncomingFile, repairHeader, type ReadFreeBytes } from './incoming-file'
import type { RecordingFolders } from './recording-folders'
import { createStorageTimeoutSignal } from './storage-timeout'
import { wavHeaderBytes, parseWavHeader } from './wav-header'

const fileExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Can more live audio be appended to this file? */
const canAppend = async (path: string, { sampleRate }: LiveAudioFormat): Promise<boolean> => {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return false
  const header = Buffer.alloc(wavHeaderBytes)
  await file.read(header, 0, wavHeaderBytes, 0).finally(() => file.close())
  return parseWavHeader(header)?.sampleRate === sampleRate
}

/** A recording whose file has not been opened yet. */
export interface NewRecording {
  key: string
  metadata: Record<string, string>
  usageCounter: UsageCounter
}

export interface RecordingWriterOptions {
  folders: RecordingFolders
  readFreeBytes: ReadFreeBytes
  /** Waits until no upload of this recording to a bucket is in progress. */
  waitForUpload: (key: string) => Promise<void>
  /** Stores a complete recording from the folder `incoming`. */
  storeRecording: (key: string) => Promise<void>
}

/** Creates the writer of live audio. It writes to the folder `incoming`, where the audio survives a crash. */
export const createLiveRecordings = (options: RecordingWriterOptions) => {
  const { folders, readFreeBytes, waitForUpload, storeRecording } = options
  const { incoming } = folders
  const removeFile = (key: string) => incoming.remove(key, createStorageTimeoutSignal())

  /** Stores a recording that ended without being stored. Deletes it if it contains no audio. */
  const recover = async (key: string): Promise<void> =>
    (await repairHeader(incoming.pathOf(key))) ? storeRecording(key) : removeFile(key)

  /**
   * Prepares the call's earlier recording so that live audio after a reconnect is appended to it. It is moved back to `incoming`,
   * unless it is still there because it could not be stored. Returns whether there is such a recording.
   */
  const resume = async (key: string, liveAudioFormat: LiveAudioFormat): Promise<boolean> => {
    await waitForUpload(key)
    const path = incoming.pathOf(key)
    if (await fileExists(path)) {
      if ((await canAppend(path, liveAudioFormat)) && (await repairHeader(path))) return true
      await recover(key)
    }
    for (const storage of [folders.local, folders.pending])
      if (await canAppend(storage.pathOf(key), liveAudioFormat)) {
        await incoming.moveFrom(key, storage)
        return true
      }
    return false
  }

  const openFile = async ({ key, metadata }: NewRecording, liveAudioFormat: LiveAudioFormat) => {
    const path = incoming.pathOf(key)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    try {
      const isAppending = await resume(key, liveAudioFormat)
      const file = await openIncomingFile({ path, liveAudioFormat, isAppending, readFreeBytes })
      try {
        await incoming.writeMetadata(key, metadata)
      } catch (error) {
        await file.close()
        throw error
      }
      return file
    } catch (error) {
      // Makes the call's earlier recording playable again. If this fails, it is recovered later.
      if (await fileExists(path)) await recover(key).catch(() => undefined)
      throw error
    }
  }

  return {
    recover,

    async open(recording: NewRecording, liveAudioFormat: LiveAudioFormat): Promise<IncomingRecording> {
      const { key, usageCounter } = recording
      const file = await openFile(recording, liveAudioFormat)
      const remove = () => {
        usageCounter.cancel()
        return removeFile(key)
      }
      return {
        async write(bytes) {
          await usageCounter.add(bytes.length)
          await file.write(bytes)
        },
        async end() {
          const { hasContent, error } = await file.close()
          await (hasContent ? storeRecording(key) : remove())
          if (error) throw error as Error
        },
        async discard() {
          await file.close().finally(remove)
        },
      }
    },
  }
}
