import { randomUUID } from 'node:crypto'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BucketCredential } from '@trunkline/contract/calls/bucket'
import { recordingKey } from '@trunkline/contract/calls/recording'
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
  opened,
  recordingsByVendor,
  soon,
  sound,
  speak,
  spoken,
} from '../../../test/recording-archives'
import { UploadInProgress } from '../../ports/recording-archive'
import { StorageError } from '../../ports/recordings'
import { StorageFull } from '../../ports/unavailable'
import type { ArchiveOptions } from './recording-store'
import { gcsRecordings } from './gcs'
import { headLength, wavHead } from './wav-header'

cleanUpArchives()

/** A bucket, as the archive opens it; nothing: files. */
interface Place {
  options: Partial<ArchiveOptions>
  stop: () => Promise<unknown>
}
const inBucket = (credential: BucketCredential, open: ArchiveOptions['open'] = recordingsByVendor) => ({
  bucketOf: () => Promise.resolve({ ...credential, name: 'recordings', tags: [{ Key: 'team', Value: 'north' }] }),
  open,
})
const places: [string, () => Promise<Place>][] = [
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
      return { options: inBucket(credential, (each) => gcsRecordings(each, address)), stop }
    },
  ],
]

describe.each(places)('the archive over %s', (_, start) => {
  let place: Place
  beforeAll(async () => {
    place = await start()
  })
  afterAll(() => place.stop())

  it('keeps what is spoken as a file that can be played, and gives out its parts', async () => {
    const { archive, said } = opened(place.options)
    const name = named()
    await speak(archive, name, sound(100_003))
    // what is not a whole sample is no sound
    const whole = Buffer.concat([wavHead({ sampleRate: 8000, channels: 2 }, 100_000), sound(100_000)])
    expect((await contentOf(archive, name))?.equals(whole)).toBe(true)
    await archive.prune()
    expect((await contentOf(archive, name))?.equals(whole)).toBe(true)
    const found = await archive.find(account, name)
    expect(found).toMatchObject({ format: 'wav', size: whole.length })
    const part: Buffer[] = []
    for await (const each of await found!.open(soon(), { from: 40, to: 47 })) part.push(Buffer.from(each))
    expect(Buffer.concat(part).equals(whole.subarray(40, 48))).toBe(true)
    expect(said).toEqual([])
  })

  it('finds what is there in another format than was asked for, and says which', async () => {
    const { archive } = opened(place.options)
    const name = named()
    await speak(archive, name, sound(400))
    await archive.prune()
    expect(await archive.find(account, { ...name, format: 'mp3' })).toMatchObject({ format: 'wav' })
  })

  it('keeps files as they are', async () => {
    const { archive } = opened(place.options)
    const name = named(undefined, 'mp3')
    const coming = await archive.startUpload(account, name, {})
    await coming.write(Buffer.from('ID3 a file'))
    await coming.end()
    await archive.prune()
    expect((await contentOf(archive, name))?.toString()).toBe('ID3 a file')
  })

  it('deletes, once', async () => {
    const { archive } = opened(place.options)
    const name = named()
    await speak(archive, name, sound(400))
    expect(await archive.remove(account, { ...name, format: 'mp3' })).toBe(true)
    expect(await archive.find(account, name)).toBeUndefined()
    expect(await archive.remove(account, name)).toBe(false)
  })

  it("shows nobody another account's recording, also where they share a bucket", async () => {
    const { archive } = opened(place.options)
    const name = named()
    await speak(archive, name, sound(400))
    await archive.prune()
    const other = randomUUID()
    expect(await archive.find(other, name)).toBeUndefined()
    expect(await archive.remove(other, name)).toBe(false)
    expect(await archive.find(account, name)).toBeDefined()
  })
})

describe('the archive', () => {
  it('keeps nothing of a file that breaks off, and nothing where nothing was said', async () => {
    const { archive } = opened()
    const [file, silent] = [named(), named()]
    const coming = await archive.startUpload(account, file, {})
    await coming.write(sound(100_000))
    await coming.drop()
    await (await archive.startUpload(account, silent, {}, spoken)).end()
    expect(await archive.find(account, file)).toBeUndefined()
    expect(await archive.find(account, silent)).toBeUndefined()
  })

  it('goes on with a call whose line broke', async () => {
    const { archive } = opened()
    const name = named()
    await speak(archive, name, sound(4000, 1))
    await speak(archive, name, sound(2000, 2))
    const whole = [wavHead({ sampleRate: 8000, channels: 2 }, 6000), sound(4000, 1), sound(2000, 2)]
    expect((await contentOf(archive, name))?.equals(Buffer.concat(whole))).toBe(true)
  })

  it('writes a call once at a time', async () => {
    const { archive } = opened()
    const name = named()
    const coming = await archive.startUpload(account, name, {}, spoken)
    await expect(archive.startUpload(account, name, {}, spoken)).rejects.toThrow(UploadInProgress)
    await coming.end()
    await speak(archive, name, sound(400))
    expect(await archive.find(account, name)).toMatchObject({ size: headLength + 400 })
  })

  it('makes a playable file of what a killed process left, and lets go of half a file', async () => {
    const folder = newFolder()
    const { archive } = opened({ folder })
    const [name, file] = [named(), named()]
    const coming = await archive.startUpload(account, name, {}, spoken)
    await coming.write(sound(100_002))
    await (await archive.startUpload(account, file, {})).write(sound(100_000))
    // as the disk is at this moment
    const left = newFolder()
    cpSync(folder, left, { recursive: true })
    const { archive: next } = opened({ folder: left })
    const content = (await contentOf(next, name))!
    expect(content.subarray(0, headLength)).toEqual(wavHead({ sampleRate: 8000, channels: 2 }, 100_000))
    expect(content.length).toBe(headLength + 100_000)
    expect(await next.find(account, file)).toBeUndefined()
    expect(readdirSync(join(left, 'recordings'))).toEqual(['kept'])
  })

  it('refuses on a full disk, and keeps what it has', async () => {
    let room = Infinity
    const { archive } = opened({ free: () => Promise.resolve(room) })
    const name = named()
    const coming = await archive.startUpload(account, name, {}, spoken)
    await coming.write(sound(100_000))
    room = 1000
    await expect(archive.startUpload(account, named(), {}, spoken)).rejects.toThrow(StorageFull)
    await expect(coming.write(sound(9 * 1024 * 1024))).rejects.toThrow('the disk of DATA_DIR is full')
    await coming.end()
    expect(await archive.find(account, name)).toMatchObject({ size: headLength + 100_000 })
  })

  it('keeps what a bucket does not take, says so, and brings it there later', async () => {
    const { endpoint, stop } = await startS3()
    let name = 'nowhere'
    const bucketOf = () => Promise.resolve({ vendor: 's3_compatible', endpoint, name, ...s3Key })
    const { archive, said } = opened({ bucketOf })
    const recording = named()
    await speak(archive, recording, sound(400))
    await archive.prune()
    expect(said[0]).toMatch(/could not be brought to its bucket: There is no bucket of that name\./)
    expect(await contentOf(archive, recording)).toHaveLength(headLength + 400)
    name = 'recordings'
    await archive.prune()
    const there = await recordingsByVendor(await bucketOf(), account)
    const known = await there.statObject(`2026/11/22/${recording.call_sid}.wav`, soon())
    expect(known?.userMetadata).toMatchObject({ accountsid: account, from: '+1555', x__: '%C3%BC' })
    there.close()
    await stop()
  })

  it('says why a bucket cannot be asked', async () => {
    const credential = { vendor: 's3_compatible', endpoint: 'http://127.0.0.1:1', name: 'x', ...s3Key }
    const { archive } = opened({ bucketOf: () => Promise.resolve(credential) })
    await expect(archive.find(account, named())).rejects.toThrow(StorageError)
  })

  it('lists what it keeps: at once, later where that fails, and what an older version kept', async () => {
    const folder = newFolder()
    const [first, second] = [named(), named()]
    const silent = { ...listDouble(), add: () => Promise.reject(new Error('no table')) }
    const { archive, said } = opened({ folder, list: silent })
    await speak(archive, first, sound(400))
    expect(await archive.find(account, first)).toBeDefined()
    expect(said).toEqual(['Calls do not know of their recordings yet: no table'])
    const listed: string[] = []
    const { archive: next } = opened({ folder, list: listDouble(listed) })
    await speak(next, second, sound(400))
    expect(listed).toEqual([`${account}/${recordingKey(second)}`])
    await next.prune()
    expect([...new Set(listed)].toSorted()).toEqual(
      [first, second].map((name) => `${account}/${recordingKey(name)}`).toSorted(),
    )
  })
})
