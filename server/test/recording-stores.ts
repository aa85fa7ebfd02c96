import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach } from 'vitest'
import { buildBucketKey, type RecordingName } from '@trunkline/contract/calls/recording'
import { createRecordingStore, type RecordingStoreOptions } from '../src/adapters/recordings/recording-store'
import { createBucketOpener } from '../src/adapters/recordings/open-bucket'
import type { StoredRecording, RecordingStore, RecordingList } from '../src/ports/recording-store'

export const openBucket = createBucketOpener({ allowPrivateTargets: true })

export const timeoutSignal = () => AbortSignal.timeout(15_000)
export const accountSid = randomUUID()
export const liveAudioFormat = { sampleRate: 8000 }
export const audioBytes = (byteCount: number, value = 1) => Buffer.alloc(byteCount, value)
export const newRecordingName = (
  call_sid: string = randomUUID(),
  format: RecordingName['format'] = 'wav',
): RecordingName => ({
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
/** An in-memory recording list. `listedPaths` receives its entries. */
export const createListDouble = (listedPaths: string[] = []): RecordingList => {
  const listPathOf = ({ account_sid, name }: StoredRecording) => `${account_sid}/${buildBucketKey(name)}`
  return {
    add: (recordings) => Promise.resolve(void listedPaths.push(...recordings.map(listPathOf))),
    remove: (recording) =>
      Promise.resolve(
        void listedPaths.splice(0, listedPaths.length, ...listedPaths.filter((key) => key !== listPathOf(recording))),
      ),
    removeByAccount: (owner) =>
      Promise.resolve(
        void listedPaths.splice(0, listedPaths.length, ...listedPaths.filter((key) => !key.startsWith(owner))),
      ),
    findAccounts: () => Promise.resolve([]),
    findByCalls: () => Promise.resolve([]),
  }
}
const stores: RecordingStore[] = []
export const openStore = (options: Partial<RecordingStoreOptions> = {}) => {
  const errors: string[] = []
  const store = createRecordingStore({
    folder: newFolder(),
    findBucket: () => Promise.resolve(undefined),
    openBucket,
    recordingList: createListDouble(),
    retentionDays: 0,
    maxBytes: 0,
    logError: (error) => errors.push(error),
    readFreeBytes: () => Promise.resolve(Infinity),
    ...options,
  })
  stores.push(store)
  return { store, errors }
}
/** Closes the stores after each test, and deletes their folders after the last one. */
export const cleanUpStores = () => {
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())))
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))
}

export const readRecording = async (store: RecordingStore, name: RecordingName, ownerSid = accountSid) => {
  const storedRecording = await store.findRecording(ownerSid, name)
  if (!storedRecording) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of await storedRecording.open(timeoutSignal())) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

export const recordAudio = async (store: RecordingStore, name: RecordingName, bytes: Buffer, ownerSid = accountSid) => {
  const incoming = await store.startRecording(ownerSid, name, { from: '+1555', 'x-ü': 'ü' }, liveAudioFormat)
  await incoming.write(bytes)
  await incoming.end()
}
