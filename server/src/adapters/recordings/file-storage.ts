import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ObjectInfo, RecordingStore } from '../../ports/recordings'

const absent = (error: unknown): undefined => {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
  throw error
}

/** Beside a recording lies what is said of it. */
const beside = (path: string) => `${path}.json`

/** Puts on the disk what only the system has so far: the file's bytes, or the names in a folder. */
const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

export interface FileRecordings extends RecordingStore {
  pathOf(key: string): string
  note(key: string, about: Record<string, string>): Promise<void>
  /** Takes over a whole file from another folder of the same disk, with what is said of it. */
  adopt(key: string, from: FileRecordings): Promise<void>
}

/** Recordings as files below a folder. Keys are made by the house and lead nowhere else. */
export const fileRecordings = (folder: string): FileRecordings => {
  const pathOf = (key: string) => join(folder, key)

  const makeRoom = (path: string) => mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const note = async (key: string, about: Record<string, string>) => {
    await makeRoom(pathOf(key))
    await writeFile(beside(pathOf(key)), JSON.stringify(about), { mode: 0o600 })
  }

  const aboutOf = async (key: string): Promise<Record<string, string>> => {
    const text = await readFile(beside(pathOf(key)), 'utf8').catch(absent)
    try {
      return JSON.parse(text ?? '{}') as Record<string, string>
    } catch {
      // a power cut may leave half of it; the sound is what counts
      return {}
    }
  }

  return {
    pathOf,
    note,
    async write(key, { stream, userMetadata: about }, signal) {
      const path = pathOf(key)
      await note(key, about)
      await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal })
    },
    async adopt(key, from) {
      const [path, before] = [pathOf(key), from.pathOf(key)]
      await makeRoom(path)
      await flush(before)
      await rename(beside(before), beside(path)).catch(absent)
      await rename(before, path)
      await flush(dirname(path))
    },
    async statObject(key): Promise<ObjectInfo | undefined> {
      const found = await stat(pathOf(key)).catch(absent)
      return found?.isFile() ? { size: found.size, userMetadata: await aboutOf(key) } : undefined
    },
    open: (key, signal, stretch) => {
      const part = stretch ? { start: stretch.from, end: stretch.to } : {}
      return Promise.resolve(createReadStream(pathOf(key), { ...part, signal }))
    },
    async remove(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      await rm(beside(path), { force: true })
    },
    close: () => {},
  }
}
