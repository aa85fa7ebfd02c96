import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { UploadInProgressError, type IncomingRecording } from '../../ports/recording-store'
import { openIncomingFile } from './incoming-file'
import type { NewRecording, RecordingWriterOptions } from './live-recordings'
import { accountOfKey } from './recording-keys'
import { createStorageTimeoutSignal } from './storage-timeout'

/** Opens a recording that a client uploads as a complete file. An upload that fails leaves no file, and can be repeated. */
export const openClientUpload = async (
  {
    folders,
    readFreeBytes,
    storeRecording,
  }: Pick<RecordingWriterOptions, 'folders' | 'readFreeBytes' | 'storeRecording'>,
  { key, metadata, usageCounter }: NewRecording,
): Promise<IncomingRecording> => {
  const { incoming, paths } = folders
  // A live recording that has not been stored yet must not be replaced.
  if (await incoming.stat(key, createStorageTimeoutSignal())) throw new UploadInProgressError()
  const folder = join(paths.clientUploads, accountOfKey(key))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await openIncomingFile({ path, liveAudioFormat: undefined, isAppending: false, readFreeBytes })

  const removeFiles = async () => {
    usageCounter.cancel()
    await rm(path, { force: true })
    await incoming.remove(key, createStorageTimeoutSignal())
  }
  const storeFile = async () => {
    await incoming.writeMetadata(key, metadata)
    await rename(path, incoming.pathOf(key))
    await storeRecording(key)
  }
  return {
    async write(bytes) {
      await usageCounter.add(bytes.length)
      await file.write(bytes)
    },
    async end() {
      try {
        const { hasContent, error } = await file.close()
        if (error) throw error as Error
        await (hasContent ? storeFile() : removeFiles())
      } catch (error) {
        await removeFiles().catch(() => undefined)
        throw error
      }
    },
    async discard() {
      await file.close().finally(removeFiles)
    },
  }
}
