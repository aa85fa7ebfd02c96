import { randomUUID } from 'node:crypto'
import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { buildBucketKey } from '@trunkline/contract/calls/recording'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import {
  accountSid,
  audioBytes,
  cleanUpStores,
  createListDouble,
  liveAudioFormat,
  newFolder,
  newRecordingName,
  openBucket,
  openStore,
  readRecording,
  recordAudio,
  timeoutSignal,
} from '../../../test/recording-stores'
import type { RecordingList } from '../../ports/recording-store'
import type { ObjectStorage } from '../../ports/object-storage'
import { StorageFullError, UnavailableError } from '../../ports/service-errors'
import { createListUpdater } from './list-updater'
import type { RecordingStoreOptions } from './recording-store'
import { wavHeaderBytes } from './wav-header'

cleanUpStores()

const mebibyte = 1024 * 1024

/** Lists the files of all folders of a store. */
const listFiles = (folder: string) =>
  readdirSync(join(folder, 'recordings'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

/** A database that fails while `isDown` is true, as `findBucket` sees it. */
const createDatabaseDouble = () => {
  const database = {
    isDown: false,
    findBucket: () =>
      database.isDown
        ? Promise.reject(new UnavailableError('The database does not respond.'))
        : Promise.resolve(undefined),
  }
  return database
}

describe('the recording store after a failure', () => {
  it('does not store an upload whose last bytes could not be written', async () => {
    const folder = newFolder()
    let freeBytes = Infinity
    const { store } = openStore({ folder, readFreeBytes: () => Promise.resolve(freeBytes) })
    const name = newRecordingName(undefined, 'mp3')
    const incoming = await store.startRecording(accountSid, name, {})
    await incoming.write(audioBytes(8 * mebibyte - 1000))
    await incoming.write(audioBytes(20_000))
    freeBytes = 1000
    await expect(incoming.end()).rejects.toThrow(StorageFullError)
    expect(await store.findRecording(accountSid, name)).toBeUndefined()
    expect(listFiles(folder)).toEqual([])
  })

  it('deletes an upload that it could not store, so that its client can repeat it', async () => {
    const folder = newFolder()
    const database = createDatabaseDouble()
    const { store } = openStore({ folder, findBucket: database.findBucket })
    const name = newRecordingName(undefined, 'mp3')
    const upload = async () => {
      const incoming = await store.startRecording(accountSid, name, {})
      await incoming.write(audioBytes(100))
      await incoming.end()
    }
    database.isDown = true
    await expect(upload()).rejects.toThrow(UnavailableError)
    expect(listFiles(folder)).toEqual([])
    database.isDown = false
    await upload()
    expect(await readRecording(store, name)).toHaveLength(100)
  })

  it('stores and lists a live recording later if the database was down at its end', async () => {
    const database = createDatabaseDouble()
    const listedPaths: string[] = []
    const { store, errors } = openStore({
      findBucket: database.findBucket,
      recordingList: createListDouble(listedPaths),
    })
    const name = newRecordingName()
    database.isDown = true
    await expect(recordAudio(store, name, audioBytes(400))).rejects.toThrow(UnavailableError)
    await store.retryAndPrune()
    expect(errors).toEqual([expect.stringContaining('could not be stored')])
    expect(listedPaths).toEqual([])
    database.isDown = false
    await store.retryAndPrune()
    expect(await readRecording(store, name)).toHaveLength(wavHeaderBytes + 400)
    expect(listedPaths).toEqual([`${accountSid}/${buildBucketKey(name)}`])
  })

  it('continues a live recording that could not be stored when its stream reconnects', async () => {
    const database = createDatabaseDouble()
    const { store } = openStore({ findBucket: database.findBucket })
    const name = newRecordingName()
    database.isDown = true
    await expect(recordAudio(store, name, audioBytes(400, 1))).rejects.toThrow(UnavailableError)
    database.isDown = false
    await recordAudio(store, name, audioBytes(200, 2))
    const audio = (await readRecording(store, name))?.subarray(wavHeaderBytes)
    expect(audio).toEqual(Buffer.concat([audioBytes(400, 1), audioBytes(200, 2)]))
  })

  it('does not touch a live recording in progress while it stores others later', async () => {
    const { store } = openStore()
    const name = newRecordingName()
    const incoming = await store.startRecording(accountSid, name, {}, liveAudioFormat)
    await incoming.write(audioBytes(400))
    await store.retryAndPrune()
    await incoming.write(audioBytes(400))
    await incoming.end()
    expect(await readRecording(store, name)).toHaveLength(wavHeaderBytes + 800)
  })

  it('keeps the earlier part of a recording if the disk is full when its stream reconnects', async () => {
    let freeBytes = Infinity
    const { store } = openStore({ readFreeBytes: () => Promise.resolve(freeBytes) })
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(400))
    freeBytes = 1000
    await expect(recordAudio(store, name, audioBytes(400))).rejects.toThrow(StorageFullError)
    expect(await readRecording(store, name)).toHaveLength(wavHeaderBytes + 400)
    freeBytes = Infinity
    await recordAudio(store, name, audioBytes(200))
    expect(await readRecording(store, name)).toHaveLength(wavHeaderBytes + 600)
  })

  it('keeps unfinished recordings of the previous run if the database is down, and stores them later', async () => {
    const folder = newFolder()
    const database = createDatabaseDouble()
    const { store } = openStore({ folder, findBucket: database.findBucket })
    const names = [newRecordingName(), newRecordingName()]
    database.isDown = true
    for (const name of names) await expect(recordAudio(store, name, audioBytes(400))).rejects.toThrow(UnavailableError)
    const { store: nextStore, errors } = openStore({ folder, findBucket: database.findBucket })
    await expect(nextStore.findRecording(accountSid, names[0]!)).rejects.toThrow(UnavailableError)
    expect(errors).toHaveLength(2)
    database.isDown = false
    await nextStore.retryAndPrune()
    for (const name of names) expect(await readRecording(nextStore, name)).toHaveLength(wavHeaderBytes + 400)
  })

  it('uploads a recording to its bucket only after it has been listed', async () => {
    const { endpoint, stop } = await startS3()
    const bucket: BucketCredential = { vendor: 's3_compatible', endpoint, name: 'recordings', ...s3Key }
    const folder = newFolder()
    const listedPaths: string[] = []
    const listDouble = createListDouble(listedPaths)
    let isListDown = true
    const recordingList: RecordingList = {
      ...listDouble,
      add: (recordings) => (isListDown ? Promise.reject(new Error('no table')) : listDouble.add(recordings)),
    }
    const { store } = openStore({ folder, recordingList, findBucket: () => Promise.resolve(bucket) })
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(400))
    await store.retryAndPrune()
    expect(listFiles(folder)).toHaveLength(2)
    isListDown = false
    await store.retryAndPrune()
    expect(listedPaths).toEqual([`${accountSid}/${buildBucketKey(name)}`])
    expect(listFiles(folder)).toEqual([])
    expect(await readRecording(store, name)).toHaveLength(wavHeaderBytes + 400)
    await stop()
  })

  it('uploads a recording with only the account as metadata if its metadata file is damaged', async () => {
    const { endpoint, stop } = await startS3()
    const bucket: BucketCredential = { vendor: 's3_compatible', endpoint, name: 'recordings', ...s3Key }
    let findBucket = (): Promise<BucketCredential> => Promise.resolve({ ...bucket, name: 'missing' })
    const folder = newFolder()
    const { store } = openStore({ folder, findBucket: () => findBucket() })
    const name = newRecordingName()
    await recordAudio(store, name, audioBytes(400))
    await store.retryAndPrune()
    const metadataFile = listFiles(folder).find((entry) => entry.name.endsWith('.json'))!
    truncateSync(join(metadataFile.parentPath, metadataFile.name))
    findBucket = () => Promise.resolve(bucket)
    await store.retryAndPrune()
    const storage = await openBucket(bucket, accountSid)
    expect((await storage.stat(buildBucketKey(name), timeoutSignal()))?.metadata).toEqual({ accountsid: accountSid })
    storage.close()
    await stop()
  })

  /** Opens a store with a pending recording in each of these accounts. */
  const openStoreWithPendingRecordings = async (
    accountSids: readonly (typeof accountSid)[],
    open: RecordingStoreOptions['openBucket'],
  ) => {
    let isBucketDown = true
    const { store } = openStore({
      findBucket: () => Promise.resolve({ vendor: 's3_compatible' }),
      openBucket: (...args) => (isBucketDown ? Promise.reject(new Error('the bucket is down')) : open(...args)),
    })
    for (const account_sid of accountSids) await recordAudio(store, newRecordingName(), audioBytes(400), account_sid)
    await store.retryAndPrune()
    isBucketDown = false
    return store
  }
  const bucketDouble: ObjectStorage = {
    write: () => Promise.resolve(),
    stat: () => Promise.resolve(undefined),
    open: () => Promise.reject(new Error('not used')),
    remove: () => Promise.resolve(),
    close: () => undefined,
  }

  it('uploads the recordings of other accounts while the bucket of one account does not respond', async () => {
    let attemptCount = 0
    let completedCount = 0
    let respond = () => {}
    const slowResponse = new Promise<void>((resolve) => (respond = resolve))
    const store = await openStoreWithPendingRecordings([randomUUID(), randomUUID(), randomUUID()], () =>
      Promise.resolve({
        ...bucketDouble,
        write: async () => {
          attemptCount += 1
          if (attemptCount === 1) await slowResponse
          completedCount += 1
        },
      }),
    )
    const job = store.retryAndPrune()
    await expect.poll(() => completedCount).toBe(2)
    respond()
    await job
    expect(completedCount).toBe(3)
  })

  it('attempts one upload per account if its bucket fails', async () => {
    let attemptCount = 0
    const store = await openStoreWithPendingRecordings([accountSid, accountSid, accountSid], () =>
      Promise.resolve({
        ...bucketDouble,
        write: () => {
          attemptCount += 1
          return Promise.reject(new Error('the bucket is down'))
        },
      }),
    )
    await store.retryAndPrune()
    expect(attemptCount).toBe(1)
  })

  it('starts no further upload after the job was aborted', async () => {
    const controller = new AbortController()
    let uploadCount = 0
    const store = await openStoreWithPendingRecordings([accountSid, accountSid, accountSid], () =>
      Promise.resolve({
        ...bucketDouble,
        write: () => {
          uploadCount += 1
          controller.abort()
          return Promise.resolve()
        },
      }),
    )
    await store.retryAndPrune(controller.signal)
    expect(uploadCount).toBe(1)
  })
})

it('retries a recording that could not be added to the list while others were being added', async () => {
  const keys = [newRecordingName(), newRecordingName()].map((name) => `${accountSid}/${buildBucketKey(name)}`)
  const listedPaths: string[] = []
  const listDouble = createListDouble(listedPaths)
  let isListDown = false
  const updater = createListUpdater(
    {
      ...listDouble,
      add: (recordings) => (isListDown ? Promise.reject(new Error('no table')) : listDouble.add(recordings)),
    },
    () => undefined,
  )
  await updater.addMissingRecordings(async () => {
    isListDown = true
    await updater.addNewRecording(keys[1]!)
    isListDown = false
    return [keys[0]!]
  })
  await updater.addMissingRecordings(() => Promise.resolve(keys))
  expect(new Set(listedPaths)).toEqual(new Set(keys))
})
