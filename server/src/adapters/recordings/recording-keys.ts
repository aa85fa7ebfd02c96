import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBucketKey, parseRecordingName, type RecordingName } from '@trunkline/contract/calls/recording'
import { ignoreMissing } from './file-storage'
import type { StoredRecording } from '../../ports/recording-store'

/** Builds the key of a recording in the local folders: the account, then the key within a bucket. */
export const buildLocalKey = (account_sid: string, name: RecordingName): string =>
  `${account_sid.toLowerCase()}/${buildBucketKey(name)}`

export const accountOfKey = (key: string): string => key.slice(0, key.indexOf('/'))

/** Converts a local key to the key within a bucket, which has no account prefix. */
export const toBucketKey = (key: string): string => key.slice(key.indexOf('/') + 1)

/** Parses a local key. Returns a list of one recording, or an empty list if the key is invalid. */
export const parseLocalKey = (key: string): StoredRecording[] => {
  const [, account_sid = '', yyyy = '', mm = '', dd = '', call_sid = '', format = ''] =
    /^([^/]+)\/(\d+)\/(\d+)\/(\d+)\/([^/]+)\.(\w+)$/.exec(key) ?? []
  const name = parseRecordingName({ call_sid, yyyy, mm, dd, format })
  return name ? [{ account_sid, name }] : []
}

/** Lists the relative paths of all files or folders in a folder and its subfolders. A missing folder is empty. */
export const listPaths = async (folder: string, entryType: 'isFile' | 'isDirectory') =>
  (
    await readdir(folder, { recursive: true, withFileTypes: true }).catch(
      (error: unknown) => ignoreMissing(error) ?? [],
    )
  )
    .filter((entry) => entry[entryType]())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))

/** Lists the keys of all recordings in a folder. Metadata files are left out. */
export const listKeys = async (folder: string) =>
  (await listPaths(folder, 'isFile')).filter((key) => !key.endsWith('.json'))
