import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseRecordingName } from '@trunkline/contract/calls/recording'
import type { StoredRecording } from '../../ports/recording-store'

/** The recording of a key; empty if the key is invalid. */
export const recordingOfKey = (key: string): StoredRecording[] => {
  const [, account_sid = '', yyyy = '', mm = '', dd = '', call_sid = '', format = ''] =
    /^([^/]+)\/(\d+)\/(\d+)\/(\d+)\/([^/]+)\.(\w+)$/.exec(key) ?? []
  const name = parseRecordingName({ call_sid, yyyy, mm, dd, format })
  return name ? [{ account_sid, name }] : []
}

/** Relative paths of all files or folders below a folder. */
export const listBelow = async (folder: string, kind: 'isFile' | 'isDirectory') =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry[kind]())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** The keys of all recordings below a folder, without metadata files. */
export const listKeys = async (folder: string) =>
  (await listBelow(folder, 'isFile')).filter((key) => !key.endsWith('.json'))
