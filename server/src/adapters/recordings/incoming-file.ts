import { open, statfs, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { LiveAudioFormat } from '../../ports/recording-store'
import { StorageFullError } from '../../ports/service-errors'
import { parseWavHeader, wavHeaderBytes, buildWavHeader } from './wav-header'

/** Disk space that recordings leave free for the database and other programs. */
const minFreeBytes = 256 * 1024 * 1024
/** Free space is checked each time this many bytes have been written. */
const checkIntervalBytes = 8 * 1024 * 1024
/** Audio arrives in small pieces. They are written when this many bytes or milliseconds have accumulated. */
const flushBytes = 32 * 1024
const flushAfterMs = 1000
/** Bytes per frame: one 16-bit sample for each of the two channels. */
const frameBytes = 4

/** Returns the free bytes on the disk of a folder. */
export type ReadFreeBytes = (folder: string) => Promise<number>

export const readFreeDiskBytes: ReadFreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const createDiskFullError = () =>
  new StorageFullError('the disk of DATA_DIR is full. Free some space, or delete recordings.')

/** Replaces errors of a full or defective disk; returns other errors unchanged. */
const translateDiskError = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')
    ? createDiskFullError()
    : error

const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let writtenBytes = 0; writtenBytes < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, writtenBytes, bytes.length - writtenBytes, position + writtenBytes)
    writtenBytes += bytesWritten
  }
}

/** Repairs the WAV header of an incomplete file, so that it can be played. Returns whether it contains audio. */
export const repairHeader = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r+')
  try {
    const header = Buffer.alloc(wavHeaderBytes)
    await file.read(header, 0, wavHeaderBytes, 0)
    const format = parseWavHeader(header)
    const { size } = await file.stat()
    if (!format || size <= wavHeaderBytes) return false
    const completeBytes = wavHeaderBytes + Math.floor((size - wavHeaderBytes) / frameBytes) * frameBytes
    if (completeBytes !== size) await file.truncate(completeBytes)
    await writeAll(file, buildWavHeader(format, completeBytes - wavHeaderBytes), 0)
    return completeBytes > wavHeaderBytes
  } finally {
    await file.close()
  }
}

/** Opens the file of a new recording, or one to append to. */
const openFile = async (path: string, liveAudioFormat: LiveAudioFormat | undefined, isAppending: boolean) => {
  if (!isAppending) {
    const file = await open(path, 'wx', 0o600)
    const header = liveAudioFormat ? buildWavHeader({ ...liveAudioFormat, channels: 2 }, 0) : Buffer.alloc(0)
    try {
      await writeAll(file, header, 0)
    } catch (error) {
      await file.close()
      throw error
    }
    return { file, size: header.length }
  }
  const file = await open(path, 'r+')
  return { file, size: (await file.stat()).size }
}

export interface IncomingFileOptions {
  path: string
  liveAudioFormat: LiveAudioFormat | undefined
  /** Appends to an existing file. */
  isAppending: boolean
  readFreeBytes: ReadFreeBytes
}

export interface IncomingFile {
  write(bytes: Buffer): Promise<void>
  /** Returns whether the file has content, and the error of the last write, if any. */
  close(): Promise<{ hasContent: boolean; error?: unknown }>
}

/** Opens the file of a recording, which is written while the recording arrives, with little buffering. */
export const openIncomingFile = async ({
  path,
  liveAudioFormat,
  isAppending,
  readFreeBytes,
}: IncomingFileOptions): Promise<IncomingFile> => {
  const checkFreeSpace = async () => {
    if ((await readFreeBytes(dirname(path))) < minFreeBytes) throw createDiskFullError()
  }
  await checkFreeSpace()
  const { file, size: initialSize } = await openFile(path, liveAudioFormat, isAppending).catch((error: unknown) => {
    throw translateDiskError(error)
  })
  let size = initialSize
  let checkedSize = size
  let bufferedParts: Buffer[] = []
  let bufferedBytes = 0
  let timer: NodeJS.Timeout | undefined
  let pendingError: unknown
  /** The end of the previous write. Each write waits for it, because it continues at that position. */
  let lastWrite = Promise.resolve()

  const writeBuffered = async () => {
    const bytes = Buffer.concat(bufferedParts)
    bufferedParts = []
    bufferedBytes = 0
    if (bytes.length === 0 || pendingError !== undefined) return
    if (size + bytes.length - checkedSize > checkIntervalBytes) {
      checkedSize = size + bytes.length
      await checkFreeSpace()
    }
    await writeAll(file, bytes, size)
    size += bytes.length
  }

  /** Never rejects. Errors are reported by the next `write`, or by `close`. */
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    lastWrite = lastWrite.then(writeBuffered).catch((error: unknown) => {
      pendingError ??= translateDiskError(error)
    })
    return lastWrite
  }

  return {
    async write(bytes) {
      bufferedParts.push(bytes)
      bufferedBytes += bytes.length
      // The first live audio is written immediately: a call may be shorter than the interval, and written data survives a crash.
      if (bufferedBytes >= flushBytes || (liveAudioFormat && size === wavHeaderBytes)) await flush()
      else timer ??= setTimeout(() => void flush(), flushAfterMs).unref()
      const writeError = pendingError
      pendingError = undefined
      if (writeError !== undefined) throw writeError as Error
    },
    async close() {
      await flush()
      await file.close()
      return { hasContent: liveAudioFormat ? await repairHeader(path) : size > 0, error: pendingError }
    },
  }
}
