import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { buildRecordingKey } from '@trunkline/contract/calls/recording'
import { startGoogleStorage } from '../../../test/doubles/google-storage'
import { startAzure } from '../../../test/external/azure-double'
import { s3Key, startS3 } from '../../../test/external/s3-double'
import {
  account,
  cleanUpArchives,
  contentOf,
  listDouble,
  named,
  newFolder,
  openStore,
  openBucketByVendor,
  timeoutSignal,
  sound,
  recordAudio,
  spoken,
} from '../../../test/recording-archives'
import { UploadInProgressError } from '../../ports/recording-store'
import { StorageError } from '../../ports/object-storage'
import { StorageFullError } from '../../ports/service-errors'
import type { RecordingStoreOptions } from './recording-store'
import { gcsStorage } from './gcs'
import { headerBytes, wavHeader } from './wav-header'

cleanUpArchives()

/** A bucket as the store opens it; undefined for files. */
interface Place {
  options: Partial<RecordingStoreOptions>
  stop: () => Promise<unknown>
}
const inBucket = (credential: BucketCredential, open: RecordingStoreOptions['openBucket'] = openBucketByVendor) => ({
  bucketOf: () => Promise.resolve({ ...credential, name: 'recordings', tags: [{ Key: 'team', Value: 'north' }] }),
  open,
})
const setups: [string, () => Promise<Place>][] = [
  ['files', () => Promise.resolve({ options: {}, stop: () => Promise.resolve() })],
  [
    'a server that speaks S3',
    async () => {
      const { endpoint, stop } = await startS3()
      return { options: inBucket({ vendor: 's3_compatible', endpoint, ...s3Key }), stop }
    },
  ],
  [
    'Azure Blob Storage',
    async () => {
      const { connection, stop } = await startAzure()
      return { options: inBucket({ vendor: 'azure', connection_string: connection }), stop }
    },
  ],
  [
    'Google Cloud Storage',
    async () => {
      const { address, serviceKey, stop } = await startGoogleStorage()
      const credential = { vendor: 'google', service_key: serviceKey }
      return { options: inBucket(credential, (item) => gcsStorage(item, address)), stop }
    },
  ],
]

describe.each(setups)('the recording store with %s', (_, start) => {
  let setup: Place
  beforeAll(async () => {
    setup = await start()
  })
  afterAll(() => setup.stop())

  it('stores live audio as a playable file and returns ranges of it', async () => {
    const { store, errors: received } = openStore(setup.options)
    const name = named()
    await recordAudio(store, name, sound(100_003))
    // incomplete samples are dropped
    const complete = Buffer.concat([wavHeader({ sampleRate: 8000, channels: 2 }, 100_000), sound(100_000)])
    expect((await contentOf(store, name))?.equals(complete)).toBe(true)
    await store.prune()
    expect((await contentOf(store, name))?.equals(complete)).toBe(true)
    const result = await store.find(account, name)
    expect(result).toMatchObject({ format: 'wav', size: complete.length })
    const part: Buffer[] = []
    for await (const item of await result!.open(timeoutSignal(), { from: 40, to: 47 })) part.push(Buffer.from(item))
    expect(Buffer.concat(part).equals(complete.subarray(40, 48))).toBe(true)
    expect(received).toEqual([])
  })

  it('finds a recording in another format and reports that format', async () => {
    const { store } = openStore(setup.options)
    const name = named()
    await recordAudio(store, name, sound(400))
    await store.prune()
    expect(await store.find(account, { ...name, format: 'mp3' })).toMatchObject({ format: 'wav' })
  })

  it('stores uploaded files unchanged', async () => {
    const { store } = openStore(setup.options)
    const name = named(undefined, 'mp3')
    const incoming = await store.start(account, name, {})
    await incoming.write(Buffer.from('ID3 a file'))
    await incoming.end()
    await store.prune()
    expect((await contentOf(store, name))?.toString()).toBe('ID3 a file')
  })

  it('deletes a recording once', async () => {
    const { store } = openStore(setup.options)
    const name = named()
    await recordAudio(store, name, sound(400))
    expect(await store.remove(account, { ...name, format: 'mp3' })).toBe(true)
    expect(await store.find(account, name)).toBeUndefined()
    expect(await store.remove(account, name)).toBe(false)
  })

  it('hides recordings of other accounts, even in a shared bucket', async () => {
    const { store } = openStore(setup.options)
    const name = named()
    await recordAudio(store, name, sound(400))
    await store.prune()
    const other = randomUUID()
    expect(await store.find(other, name)).toBeUndefined()
    expect(await store.remove(other, name)).toBe(false)
    expect(await store.find(account, name)).toBeDefined()
  })
})

describe('the recording store', () => {
  it('stores neither interrupted uploads nor empty recordings', async () => {
    const { store } = openStore()
    const [file, silent] = [named(), named()]
    const incoming = await store.start(account, file, {})
    await incoming.write(sound(100_000))
    await incoming.discard()
    await (await store.start(account, silent, {}, spoken)).end()
    expect(await store.find(account, file)).toBeUndefined()
    expect(await store.find(account, silent)).toBeUndefined()
  })

  it('appends after a broken connection', async () => {
    const { store } = openStore()
    const name = named()
    await recordAudio(store, name, sound(4000, 1))
    await recordAudio(store, name, sound(2000, 2))
    const complete = [wavHeader({ sampleRate: 8000, channels: 2 }, 6000), sound(4000, 1), sound(2000, 2)]
    expect((await contentOf(store, name))?.equals(Buffer.concat(complete))).toBe(true)
  })

  it('allows one writer per recording', async () => {
    const { store } = openStore()
    const name = named()
    const incoming = await store.start(account, name, {}, spoken)
    await expect(store.start(account, name, {}, spoken)).rejects.toThrow(UploadInProgressError)
    await incoming.end()
    await recordAudio(store, name, sound(400))
    expect(await store.find(account, name)).toMatchObject({ size: headerBytes + 400 })
  })

  it('repairs live recordings after a crash and deletes incomplete uploads', async () => {
    const folder = newFolder()
    const { store } = openStore({ folder })
    const [name, file] = [named(), named()]
    const incoming = await store.start(account, name, {}, spoken)
    await incoming.write(sound(100_002))
    await (await store.start(account, file, {})).write(sound(100_000))
    // a copy of the current files
    const left = newFolder()
    cpSync(folder, left, { recursive: true })
    const { store: next } = openStore({ folder: left })
    const content = (await contentOf(next, name))!
    expect(content.subarray(0, headerBytes)).toEqual(wavHeader({ sampleRate: 8000, channels: 2 }, 100_000))
    expect(content.length).toBe(headerBytes + 100_000)
    expect(await next.find(account, file)).toBeUndefined()
    expect(readdirSync(join(left, 'recordings'))).toEqual(['kept'])
  })

  it('refuses on a full disk and keeps the part before', async () => {
    let room = Infinity
    const { store } = openStore({ freeBytes: () => Promise.resolve(room) })
    const name = named()
    const incoming = await store.start(account, name, {}, spoken)
    await incoming.write(sound(100_000))
    room = 1000
    await expect(store.start(account, named(), {}, spoken)).rejects.toThrow(StorageFullError)
    await expect(incoming.write(sound(9 * 1024 * 1024))).rejects.toThrow('the disk of DATA_DIR is full')
    await incoming.end()
    expect(await store.find(account, name)).toMatchObject({ size: headerBytes + 100_000 })
  })

  it('keeps a recording that a bucket refuses, logs it, and uploads it later', async () => {
    const { endpoint, stop } = await startS3()
    let name = 'nowhere'
    const bucketOf = () => Promise.resolve({ vendor: 's3_compatible', endpoint, name, ...s3Key })
    const { store, errors: received } = openStore({ findBucket: bucketOf })
    const recording = named()
    await recordAudio(store, recording, sound(400))
    await store.prune()
    expect(received[0]).toMatch(/could not be uploaded to its bucket: This bucket does not exist\./)
    expect(await contentOf(store, recording)).toHaveLength(headerBytes + 400)
    name = 'recordings'
    await store.prune()
    const there = await openBucketByVendor(await bucketOf(), account)
    const known = await there.stat(`2026/11/22/${recording.call_sid}.wav`, timeoutSignal())
    expect(known?.metadata).toMatchObject({ accountsid: account, from: '+1555', x__: '%C3%BC' })
    there.close()
    await stop()
  })

  it('reports why a bucket cannot be used', async () => {
    const credential = { vendor: 's3_compatible', endpoint: 'http://127.0.0.1:1', name: 'x', ...s3Key }
    const { store } = openStore({ findBucket: () => Promise.resolve(credential) })
    await expect(store.find(account, named())).rejects.toThrow(StorageError)
  })

  it('lists recordings at once, later after a failure, and those of an older version', async () => {
    const folder = newFolder()
    const [first, second] = [named(), named()]
    const silent = { ...listDouble(), add: () => Promise.reject(new Error('no table')) }
    const { store, errors: received } = openStore({ folder, list: silent })
    await recordAudio(store, first, sound(400))
    expect(await store.find(account, first)).toBeDefined()
    expect(received).toEqual(['Recordings could not be added to the list: no table'])
    const listed: string[] = []
    const { store: next } = openStore({ folder, list: listDouble(listed) })
    await recordAudio(next, second, sound(400))
    expect(listed).toEqual([`${account}/${buildRecordingKey(second)}`])
    await next.prune()
    expect([...new Set(listed)].toSorted()).toEqual(
      [first, second].map((name) => `${account}/${buildRecordingKey(name)}`).toSorted(),
    )
  })
})
