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

export const timeoutSignal = () => AbortSignal.timeout(15_000)
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
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-store-'))
  folders.push(folder)
  return folder
}
/** An in-memory recording list. */
export const listDouble = (stored: string[] = []): RecordingList => {
  const pathOf = ({ account_sid, name }: StoredRecording) => `${account_sid}/${buildRecordingKey(name)}`
  return {
    add: (recordings) => Promise.resolve(void stored.push(...recordings.map(pathOf))),
    discard: (recording) =>
      Promise.resolve(void stored.splice(0, stored.length, ...stored.filter((key) => key !== pathOf(recording)))),
    removeAccount: (owner) =>
      Promise.resolve(void stored.splice(0, stored.length, ...stored.filter((key) => !key.startsWith(owner)))),
    accountsOf: () => Promise.resolve([]),
    findByCalls: () => Promise.resolve([]),
  }
}
const stores: RecordingStore[] = []
export const openStore = (options: Partial<RecordingStoreOptions> = {}) => {
  const errors: string[] = []
  const store = recordingStore({
    folder: newFolder(),
    findBucket: () => Promise.resolve(undefined),
    openBucket: openBucketByVendor,
    list: listDouble(),
    retentionDays: 0,
    maxBytes: 0,
    logError: (error) => errors.push(error),
    freeBytes: () => Promise.resolve(Infinity),
    ...options,
  })
  stores.push(store)
  return { store, errors }
}
/** Closes the stores after each test, and deletes their folders after the last one. */
export const cleanUpArchives = () => {
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
}

export const contentOf = async (store: RecordingStore, name: RecordingName, expectedOwner = account) => {
  const storedRecording = await store.find(expectedOwner, name)
  if (!storedRecording) return undefined
  const parts: Buffer[] = []
  for await (const part of await storedRecording.open(timeoutSignal())) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

export const recordAudio = async (
  store: RecordingStore,
  name: RecordingName,
  bytes: Buffer,
  expectedOwner = account,
) => {
  const incoming = await store.start(expectedOwner, name, { from: '+1555', 'x-ü': 'ü' }, spoken)
  await incoming.write(bytes)
  await incoming.end()
}
