import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { StoredObject, ObjectStorage } from '../../ports/object-storage'

const ignoreMissing = (error: unknown): undefined => {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
  throw error
}

/** The file with a recording's metadata. */
const metadataPath = (path: string) => `${path}.json`

/** Flushes a file or folder to disk. */
const flush = async (path: string): Promise<void> => {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

export interface FileStorage extends ObjectStorage {
  pathOf(key: string): string
  writeMetadata(key: string, metadata: Record<string, string>): Promise<void>
  /** Moves a file with its metadata from another folder of the same disk. */
  moveFrom(key: string, from: FileStorage): Promise<void>
}

/** Stores recordings as files. Keys are generated here, so they cannot leave the folder. */
export const fileStorage = (folder: string): FileStorage => {
  const pathOf = (key: string) => join(folder, key)

  const createFolder = (path: string) => mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const writeMetadata = async (key: string, metadata: Record<string, string>) => {
    await createFolder(pathOf(key))
    await writeFile(metadataPath(pathOf(key)), JSON.stringify(metadata), { mode: 0o600 })
  }

  const readMetadata = async (key: string): Promise<Record<string, string>> => {
    const text = await readFile(metadataPath(pathOf(key)), 'utf8').catch(ignoreMissing)
    try {
      return JSON.parse(text ?? '{}') as Record<string, string>
    } catch {
      // A power failure may truncate the metadata; the audio is more important.
      return {}
    }
  }

  return {
    pathOf,
    writeMetadata,
    async write(key, { stream, metadata }, signal) {
      const path = pathOf(key)
      await writeMetadata(key, metadata)
      await pipeline(stream, createWriteStream(path, { mode: 0o600 }), { signal })
    },
    async moveFrom(key, from) {
      const [path, source] = [pathOf(key), from.pathOf(key)]
      await createFolder(path)
      await flush(source)
      await rename(metadataPath(source), metadataPath(path)).catch(ignoreMissing)
      await rename(source, path)
      await flush(dirname(path))
    },
    async stat(key): Promise<StoredObject | undefined> {
      const stats = await stat(pathOf(key)).catch(ignoreMissing)
      return stats?.isFile() ? { size: stats.size, metadata: await readMetadata(key) } : undefined
    },
    open: (key, signal, range) => {
      const options = range ? { start: range.from, end: range.to } : {}
      return Promise.resolve(createReadStream(pathOf(key), { ...options, signal }))
    },
    async remove(key) {
      const path = pathOf(key)
      await rm(path, { force: true })
      await rm(metadataPath(path), { force: true })
    },
    close: () => {},
  }
}
