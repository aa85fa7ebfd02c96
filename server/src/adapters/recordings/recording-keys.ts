import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { recordingName } from '@trunkline/contract/calls/recording'
import type { RecordingEntry } from '../../ports/recording-archive'

/** The recording that a key names. */
export const recordingOf = (key: string): RecordingEntry[] => {
  const [, account_sid = '', yyyy = '', mm = '', dd = '', call_sid = '', format = ''] =
    /^([^/]+)\/(\d+)\/(\d+)\/(\d+)\/([^/]+)\.(\w+)$/.exec(key) ?? []
  const name = recordingName({ call_sid, yyyy, mm, dd, format })
  return name ? [{ account_sid, name }] : []
}

/** What is below a folder, by its path from there. */
export const below = async (folder: string, which: 'isFile' | 'isDirectory') =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry[which]())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** The recordings below a folder, without the notes beside them. */
export const keysIn = async (folder: string) => (await below(folder, 'isFile')).filter((key) => !key.endsWith('.json'))
