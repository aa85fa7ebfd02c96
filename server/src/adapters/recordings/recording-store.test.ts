import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { buildBucketKey } from '@trunkline/contract/calls/recording'
import { startGoogleStorage } from '../../../test/doubles/google-storage'
import { startAzure } from '../../../test/external/azure-double'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import {
  accountSid,
  cleanUpStores,
  readRecording,
  createListDouble,
  newRecordingName,
  newFolder,
  openStore,
  openBucket,
  timeoutSignal,
  audioBytes,
  recordAudio,
  liveAudioFormat,
} from '../../../test/recording-stores'
import { UploadInProgressError, type RecordingList } from '../../ports/recording-store'
import { StorageError } from '../../ports/object-storage'
import { StorageFullError } from '../../ports/service-errors'
import type { RecordingStoreOptions } from './recording-store'
import { openGcsStorage } from './gcs'
import { wavHeaderBytes, buildWavHeader } from './wav-header'

cleanUpStores()

interface StorageSetup {
  options: Partial<RecordingStoreOptions>
  hasBucket: boolean
  stop: () => Promise<unknown>
}
/** Builds the options of a store that uploads to a bucket. The return type makes the compiler reject unknown options. */
const buildBucketOptions = (
  credential: BucketCredential,
  openStorage: RecordingStoreOptions['openBucket'] = openBucket,
): Pick<RecordingStoreOptions, 'findBucket' | 'openBucket'> => ({
  findBucket: () => Promise.resolve({ ...credential, name: 'recordings', tags: [{ Key: 'team', Value: 'north' }] }),
  openBucket: openStorage,
})
const setups: [string, () => Promise<StorageSetup>][] = [
  ['files', () => Promise.resolve({ options: {}, hasBucket: false, stop: () => Promise.resolve() })],
  [
    'a server that speaks S3',
    async () => {
      const { endpoint, stop } = await startS3()
      return { options: buildBucketOptions({ vendor: 's3_compatible', endpoint, ...s3Key }), hasBucket: true, stop }
    },
  ],
  [
    'Azure Blob Storage',
    async () => {
      const { connectionString, stop } = await startAzure()
      return {
        options: buildBucketOptions({ vendor: 'azure', connection_string: connectionString }),
        hasBucket: true,
        stop,
      }
    },
  ],
  [
    'Google Cloud Storage',
    async () => {
      const { address, serviceKey, stop } = await startGoogleStorage()
      const credential: BucketCredential = { vendor: 'google', service_key: serviceKey }
      return {
        options: buildBucketOptions(credential, (bucket) => openGcsStorage(bucket, address)),
        hasBucket: true,
        stop,
      }
    },
  ],
]

const listLocalRecordings = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.wav'))

describe.each(setups)('the recording store with %s', (_, startStorage) => {
  let setup: StorageSetup
  beforeAll(async () => {
    setup = await startStorage()
  })
  afterAll(() => setup.stop())

  it('stores live audio as a playable file and returns ranges of it', async () => {
    const folder = newFolder()
    const { store, errors } = openStore({ ...setup.options, folder })
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(100_003))
    // Incomplete samples are dropped.
    const complete = Buffer.concat([buildWavHeader({ sampleRate: 8000, channels: 2 }, 100_000), audioBytes(100_000)])
    expect((await readRecording(store, name))?.equals(complete)).toBe(true)
    await store.retryAndPrune()
    expect(listLocalRecordings(folder)).toHaveLength(setup.hasBucket ? 0 : 1)
    expect((await readRecording(store, name))?.equals(complete)).toBe(true)
    const result = await store.findRecording(accountSid, name)
    expect(result).toMatchObject({ format: 'wav', size: complete.length })
    const rangeChunks: Buffer[] = []
    for await (const chunk of await result!.open(timeoutSignal(), { from: 40, to: 47 }))
      rangeChunks.push(Buffer.from(chunk))
    expect(Buffer.concat(rangeChunks).equals(complete.subarray(40, 48))).toBe(true)
    expect(errors).toEqual([])
  })

  it('finds a recording in another format and reports that format', async () => {
    const { store } = openStore(setup.options)
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(400))
    await store.retryAndPrune()
    expect(await store.findRecording(accountSid, { ...name, format: 'mp3' })).toMatchObject({ format: 'wav' })
  })

  it('stores uploaded files unchanged', async () => {
    const { store } = openStore(setup.options)
    const name = newRecordingName(undefined, 'mp3')
    const incoming = await store.startRecording(accountSid, name, {})
    await incoming.write(Buffer.from('ID3 a file'))
    await incoming.end()
    await store.retryAndPrune()
    expect((await readRecording(store, name))?.toString()).toBe('ID3 a file')
  })

  it('deletes a recording, and reports false for a second deletion', async () => {
    const { store } = openStore(setup.options)
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(400))
    expect(await store.removeRecording(accountSid, { ...name, format: 'mp3' })).toBe(true)
    expect(await store.findRecording(accountSid, name)).toBeUndefined()
    expect(await store.removeRecording(accountSid, name)).toBe(false)
  })

  it('hides recordings of other accounts, even in a shared bucket', async () => {
    const { store } = openStore(setup.options)
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(400))
    await store.retryAndPrune()
    const otherAccount = randomUUID()
    expect(await store.findRecording(otherAccount, name)).toBeUndefined()
    expect(await store.removeRecording(otherAccount, name)).toBe(false)
    expect(await store.findRecording(accountSid, name)).toBeDefined()
  })
})

describe('the recording store', () => {
  it('stores neither interrupted uploads nor empty recordings', async () => {
    const { store } = openStore()
    const [interruptedUpload, emptyRecording] = [newRecordingName(), newRecordingName()]
    const incoming = await store.startRecording(accountSid, interruptedUpload, {})
    await incoming.write(audioBytes(100_000))
    await incoming.discard()
    await (await store.startRecording(accountSid, emptyRecording, {}, liveAudioFormat)).end()
    expect(await store.findRecording(accountSid, interruptedUpload)).toBeUndefined()
    expect(await store.findRecording(accountSid, emptyRecording)).toBeUndefined()
  })

  it('appends audio to a recording when its stream reconnects', async () => {
    const { store } = openStore()
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(4000, 1))
    await recordAudio(store, name, audioBytes(2000, 2))
    const complete = [buildWavHeader({ sampleRate: 8000, channels: 2 }, 6000), audioBytes(4000, 1), audioBytes(2000, 2)]
    expect((await readRecording(store, name))?.equals(Buffer.concat(complete))).toBe(true)
  })

  it('allows one writer per recording', async () => {
    const { store } = openStore()
    const name = newRecordingName()
    const incoming = await store.startRecording(accountSid, name, {}, liveAudioFormat)
    await expect(store.startRecording(accountSid, name, {}, liveAudioFormat)).rejects.toThrow(UploadInProgressError)
    await incoming.end()
    await recordAudio(store, name, audioBytes(400))
    expect(await store.findRecording(accountSid, name)).toMatchObject({ size: wavHeaderBytes + 400 })
  })

  it('repairs live recordings after a crash and deletes incomplete uploads', async () => {
    const folder = newFolder()
    const { store } = openStore({ folder })
    const [name, incompleteUpload] = [newRecordingName(), newRecordingName()]
    const incoming = await store.startRecording(accountSid, name, {}, liveAudioFormat)
    await incoming.write(audioBytes(100_002))
    await (await store.startRecording(accountSid, incompleteUpload, {})).write(audioBytes(100_000))
    // The files as a crash would leave them.
    const crashedFolder = newFolder()
    cpSync(folder, crashedFolder, { recursive: true })
    const { store: nextStore } = openStore({ folder: crashedFolder })
    const content = (await readRecording(nextStore, name))!
    expect(content.subarray(0, wavHeaderBytes)).toEqual(buildWavHeader({ sampleRate: 8000, channels: 2 }, 100_000))
    expect(content.length).toBe(wavHeaderBytes + 100_000)
    expect(await nextStore.findRecording(accountSid, incompleteUpload)).toBeUndefined()
    // Only the folder of stored recordings is left.
    expect(readdirSync(join(crashedFolder, 'recordings'))).toEqual(['kept'])
  })

  it('refuses to write on a full disk and keeps the earlier part of the recording', async () => {
    let freeBytes = Infinity
    const { store } = openStore({ readFreeBytes: () => Promise.resolve(freeBytes) })
    const name = newRecordingName()
    const incoming = await store.startRecording(accountSid, name, {}, liveAudioFormat)
    await incoming.write(audioBytes(100_000))
    freeBytes = 1000
    await expect(store.startRecording(accountSid, newRecordingName(), {}, liveAudioFormat)).rejects.toThrow(
      StorageFullError,
    )
    await expect(incoming.write(audioBytes(9 * 1024 * 1024))).rejects.toThrow('the disk of DATA_DIR is full')
    await incoming.end()
    expect(await store.findRecording(accountSid, name)).toMatchObject({ size: wavHeaderBytes + 100_000 })
  })

  it('keeps a recording that a bucket refuses, logs it, and uploads it later', async () => {
    const { endpoint, stop } = await startS3()
    let bucketName = 'missing'
    const findBucket = (): Promise<BucketCredential> =>
      Promise.resolve({ vendor: 's3_compatible', endpoint, name: bucketName, ...s3Key })
    const { store, errors } = openStore({ findBucket })
    const recording = newRecordingName()
    await recordAudio(store, recording, audioBytes(400))
    await store.retryAndPrune()
    expect(errors[0]).toMatch(/could not be uploaded to its bucket: This bucket does not exist\./)
    expect(await readRecording(store, recording)).toHaveLength(wavHeaderBytes + 400)
    bucketName = 'recordings'
    await store.retryAndPrune()
    const bucket = await openBucket(await findBucket(), accountSid)
    const storedObject = await bucket.stat(`2026/11/22/${recording.call_sid}.wav`, timeoutSignal())
    expect(storedObject?.metadata).toMatchObject({ accountsid: accountSid, from: '+1555', x__: '%C3%BC' })
    bucket.close()
    await stop()
  })

  it('reports why a bucket cannot be used', async () => {
    const credential: BucketCredential = {
      vendor: 's3_compatible',
      endpoint: 'http://127.0.0.1:1',
      name: 'x',
      ...s3Key,
    }
    const { store } = openStore({ findBucket: () => Promise.resolve(credential) })
    await expect(store.findRecording(accountSid, newRecordingName())).rejects.toThrow(StorageError)
  })

  it('lists recordings when they are stored, and adds missing ones to the list later', async () => {
    const folder = newFolder()
    const [first, second] = [newRecordingName(), newRecordingName()]
    const failingList: RecordingList = { ...createListDouble(), add: () => Promise.reject(new Error('no table')) }
    const { store, errors } = openStore({ folder, recordingList: failingList })
    await recordAudio(store, first, audioBytes(400))
    expect(await store.findRecording(accountSid, first)).toBeDefined()
    expect(errors).toEqual(['Recordings could not be added to the list: no table'])
    const listedPaths: string[] = []
    const { store: nextStore } = openStore({ folder, recordingList: createListDouble(listedPaths) })
    await recordAudio(nextStore, second, audioBytes(400))
    expect(listedPaths).toEqual([`${accountSid}/${buildBucketKey(second)}`])
    await nextStore.retryAndPrune()
    expect([...new Set(listedPaths)].toSorted()).toEqual(
      [first, second].map((name) => `${accountSid}/${buildBucketKey(name)}`).toSorted(),
    )
  })
})
