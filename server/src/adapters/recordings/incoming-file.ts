import { open, statfs, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { LiveAudio } from '../../ports/recording-store'
import { StorageFullError } from '../../ports/service-errors'
import { readWavHeader, headerBytes, wavHeader } from './wav-header'

/** Disk space that recordings leave free for others, such as the database. */
const minFreeBytes = 256 * 1024 * 1024
/** Free space is checked each time this many bytes have been written. */
const checkIntervalBytes = 8 * 1024 * 1024
/** Audio arrives in small pieces. They are written when this many bytes or milliseconds have accumulated. */
const flushBytes = 32 * 1024
const flushAfterMs = 1000
/** Bytes per frame of two channels. */
const frameBytes = 4

/** Free bytes on the disk of a folder. */
export type FreeBytes = (folder: string) => Promise<number>

export const freeDiskBytes: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const diskFullError = () => new StorageFullError('the disk of DATA_DIR is full. Free some space, or delete recordings.')

const toDiskFullError = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '') ? diskFullError() : error

const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** Repairs the WAV header of an incomplete file, so that it can be played. Returns whether it contains audio. */
export const repairHeader = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r+')
  try {
    const header = Buffer.alloc(headerBytes)
    await file.read(header, 0, headerBytes, 0)
    const format = readWavHeader(header)
    const { size } = await file.stat()
    if (!format || size <= headerBytes) return false
    const completeBytes = headerBytes + Math.floor((size - headerBytes) / frameBytes) * frameBytes
    if (completeBytes !== size) await file.truncate(completeBytes)
    await writeAll(file, wavHeader(format, completeBytes - headerBytes), 0)
    return completeBytes > headerBytes
  } finally {
    await file.close()
  }
}

/** Opens the file of a new recording, or one to append to. */
const openFile = async (path: string, liveAudio: LiveAudio | undefined, isAppending: boolean) => {
  if (!isAppending) {
    const file = await open(path, 'wx', 0o600)
    if (liveAudio) await writeAll(file, wavHeader({ ...liveAudio, channels: 2 }, 0), 0)
    return { file, size: liveAudio ? headerBytes : 0 }
  }
  const file = await open(path, 'r+')
  return { file, size: (await file.stat()).size }
}

export interface IncomingFileOptions {
  path: string
  liveAudio: LiveAudio | undefined
  /** Appends to an existing file. */
  isAppending: boolean
  freeBytes: FreeBytes
}

export interface IncomingFile {
  write(bytes: Buffer): Promise<void>
  /** Returns whether the file has content, and the error of the last write, if any. */
  close(): Promise<{ hasContent: boolean; error?: unknown }>
}

/** Writes a recording while it arrives, with little buffering. */
export const openIncomingFile = async ({
  path,
  liveAudio,
  isAppending,
  freeBytes,
}: IncomingFileOptions): Promise<IncomingFile> => {
  const checkFreeSpace = async () => {
    if ((await freeBytes(dirname(path))) < minFreeBytes) throw diskFullError()
  }
  await checkFreeSpace()
  const { file, size: initialSize } = await openFile(path, liveAudio, isAppending).catch((error: unknown) => {
    throw toDiskFullError(error)
  })
  let size = initialSize
  let checkedSize = size
  let buffered: Buffer[] = []
  let bufferedBytes = 0
  let timer: NodeJS.Timeout | undefined
  let pendingError: unknown
  /** Serialises writes, because each needs the position at which the previous one ended. */
  let writing = Promise.resolve()

  const writeBuffered = async () => {
    const bytes = Buffer.concat(buffered)
    buffered = []
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
    writing = writing.then(writeBuffered).catch((error: unknown) => {
      pendingError ??= toDiskFullError(error)
    })
    return writing
  }

  return {
    async write(bytes) {
      buffered.push(bytes)
      bufferedBytes += bytes.length
      // Live audio is first written at once: a call may be shorter than the interval, and written data survives a crash.
      if (bufferedBytes >= flushBytes || (liveAudio && size === headerBytes)) await flush()
      else timer ??= setTimeout(() => void flush(), flushAfterMs).unref()
      const writeError = pendingError
      pendingError = undefined
      if (writeError !== undefined) throw writeError as Error
    },
    async close() {
      await flush()
      await file.close()
      return { hasContent: liveAudio ? await repairHeader(path) : size > 0, error: pendingError }
    },
  }
}
