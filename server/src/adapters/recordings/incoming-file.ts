import { open, statfs, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { RawAudio } from '../../ports/recording-archive'
import { StorageFull } from '../../ports/unavailable'
import { formIn, headLength, wavHead } from './wav-header'

/** So many bytes of the disk are left to others, as the database: a full one would stop them as well. */
const left = 256 * 1024 * 1024
/** The disk is asked again after so many bytes. */
const askEvery = 8 * 1024 * 1024
/** Sound comes in small parts, which are written together: so many bytes, or what comes in so many milliseconds. */
const together = 32 * 1024
const flushAfterMs = 1000
/** Of two channels. */
const frame = 4

/** Bytes that a folder's disk still has. */
export type Free = (folder: string) => Promise<number>

export const freeOnDisk: Free = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

const full = () => new StorageFull('the disk of DATA_DIR is full. Free some space, or delete recordings.')

const asFull = (error: unknown): unknown =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '') ? full() : error

const writeAll = async (file: FileHandle, bytes: Buffer, position: number): Promise<void> => {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

/** Counts the sound of a file that somebody stopped writing, so that it can be played. Whether there is any. */
export const mend = async (path: string): Promise<boolean> => {
  const file = await open(path, 'r+')
  try {
    const head = Buffer.alloc(headLength)
    await file.read(head, 0, headLength, 0)
    const form = formIn(head)
    const { size } = await file.stat()
    if (!form || size <= headLength) return false
    const whole = headLength + Math.floor((size - headLength) / frame) * frame
    if (whole !== size) await file.truncate(whole)
    await writeAll(file, wavHead(form, whole - headLength), 0)
    return whole > headLength
  } finally {
    await file.close()
  }
}

/** Opens the file of a recording that begins, or goes on where an earlier one of the same call ended. */
const begun = async (path: string, spoken: RawAudio | undefined, goesOn: boolean) => {
  if (!goesOn) {
    const file = await open(path, 'wx', 0o600)
    if (spoken) await writeAll(file, wavHead({ ...spoken, channels: 2 }, 0), 0)
    return { file, size: spoken ? headLength : 0 }
  }
  const file = await open(path, 'r+')
  return { file, size: (await file.stat()).size }
}

export interface Coming {
  path: string
  spoken: RawAudio | undefined
  /** Its file is there already. */
  goesOn: boolean
  free: Free
}

export interface ComingFile {
  write(bytes: Buffer): Promise<void>
  /** Whether there is something in it; and what of it did not fit on the disk, as a fault. */
  close(): Promise<{ holds: boolean; fault?: unknown }>
}

/** Writes a recording as it comes: little of it is in memory at any time. */
export const comingFile = async ({ path, spoken, goesOn, free }: Coming): Promise<ComingFile> => {
  const ask = async () => {
    if ((await free(dirname(path))) < left) throw full()
  }
  await ask()
  const { file, size: before } = await begun(path, spoken, goesOn).catch((error: unknown) => {
    throw asFull(error)
  })
  let size = before
  let asked = size
  let waiting: Buffer[] = []
  let waits = 0
  let timer: NodeJS.Timeout | undefined
  let fault: unknown
  /** Writes follow each other: the next one has to know where the one before ended. */
  let writing = Promise.resolve()

  const writeWaiting = async () => {
    const bytes = Buffer.concat(waiting)
    waiting = []
    waits = 0
    if (bytes.length === 0 || fault !== undefined) return
    if (size + bytes.length - asked > askEvery) {
      asked = size + bytes.length
      await ask()
    }
    await writeAll(file, bytes, size)
    size += bytes.length
  }

  /** Never fails: what goes wrong is reported by the next `write`, or by `close`. */
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeWaiting).catch((error: unknown) => {
      fault ??= asFull(error)
    })
    return writing
  }

  return {
    async write(bytes) {
      waiting.push(bytes)
      waits += bytes.length
      // the first sound at once: a call may be shorter than the interval, and a killed process keeps what is written
      if (waits >= together || (spoken && size === headLength)) await flush()
      else timer ??= setTimeout(() => void flush(), flushAfterMs).unref()
      const failed = fault
      fault = undefined
      if (failed !== undefined) throw failed as Error
    },
    async close() {
      await flush()
      await file.close()
      return { holds: spoken ? await mend(path) : size > 0, fault }
    },
  }
}
