import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { buildRecordingKey, type RecordingName } from '@trunkline/contract/calls/recording'
import { recordingStore, type RecordingStoreOptions } from '../src/adapters/recordings/recording-store'
import { openBucketByVendor as openByVendor } from '../src/adapters/recordings/open-bucket'
import type { StoredRecording, RecordingStore, RecordingList } from '../src/ports/recording-store'

export const openBucketByVendor = openByVendor({ privateTargets: true })

export const soon = () => AbortSignal.timeout(15_000)
export const account = randomUUID()
export const spoken = { sampleRate: 8000 }
export const sound = (bytes: number, value = 1) => Buffer.alloc(bytes, value)
export const named = (call_sid: string = randomUUID(), format: RecordingName['format'] = 'wav'): RecordingName => ({
  call_sid,
  yyyy: '2026',
  mm: '11',
  dd: '22',
  format,
})

const folders: string[] = []
export const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-archive-'))
  folders.push(folder)
  return folder
}
/** An in-memory recording list. */
export const listDouble = (kept: string[] = []): RecordingList => {
  const pathOf = ({ account_sid, name }: StoredRecording) => `${account_sid}/${buildRecordingKey(name)}`
  return {
    add: (recordings) => Promise.resolve(void kept.push(...recordings.map(pathOf))),
    discard: (recording) =>
      Promise.resolve(void kept.splice(0, kept.length, ...kept.filter((key) => key !== pathOf(recording)))),
    removeAccount: (owner) =>
      Promise.resolve(void kept.splice(0, kept.length, ...kept.filter((key) => !key.startsWith(owner)))),
    accountsOf: () => Promise.resolve([]),
    findByCalls: () => Promise.resolve([]),
  }
}
const archives: RecordingStore[] = []
export const opened = (options: Partial<RecordingStoreOptions> = {}) => {
  const said: string[] = []
  const archive = recordingStore({
    folder: newFolder(),
    findBucket: () => Promise.resolve(undefined),
    openBucket: openBucketByVendor,
    list: listDouble(),
    retentionDays: 0,
    maxBytes: 0,
    logError: (fault) => said.push(fault),
    freeBytes: () => Promise.resolve(Infinity),
    ...options,
  })
  archives.push(archive)
  return { archive, said }
}
/** Closes the archives after each test, and deletes their folders after the last one. */
export const cleanUpArchives = () => {
  afterEach(() => Promise.all(archives.splice(0).map((archive) => archive.close())))
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
}

export const contentOf = async (archive: RecordingStore, name: RecordingName, of = account) => {
  const storedRecording = await archive.find(of, name)
  if (!storedRecording) return undefined
  const parts: Buffer[] = []
  for await (const part of await storedRecording.open(soon())) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

export const speak = async (archive: RecordingStore, name: RecordingName, bytes: Buffer, of = account) => {
  const coming = await archive.start(of, name, { from: '+1555', 'x-ü': 'ü' }, spoken)
  await coming.write(bytes)
  await coming.end()
}
