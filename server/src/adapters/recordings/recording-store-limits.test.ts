import { randomUUID } from 'node:crypto'
import { cpSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildBucketKey } from '@trunkline/contract/calls/recording'
import {
  accountSid,
  cleanUpStores,
  readRecording,
  createListDouble,
  newRecordingName,
  newFolder,
  openStore,
  audioBytes,
  recordAudio,
  liveAudioFormat,
} from '../../../test/recording-stores'
import { QuotaReachedError } from '../../ports/recording-store'
import { wavHeaderBytes } from './wav-header'

cleanUpStores()

/** The folder of recordings without a bucket. */
const localFolder = 'kept'

describe('the recording store', () => {
  it('deletes files by time of arrival, whatever day is in their name', async () => {
    const folder = newFolder()
    const listedPaths: string[] = []
    const { store } = openStore({ folder, retentionDays: 7, recordingList: createListDouble(listedPaths) })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const farFuture = { yyyy: '9999', mm: '12', dd: '31' }
    const recordings = {
      old: newRecordingName(),
      oldWithFutureDate: { ...newRecordingName(), ...farFuture },
      recentWithPastDate: { ...newRecordingName(), yyyy: '2001' },
    }
    for (const [key, name] of Object.entries(recordings)) {
      await recordAudio(store, name, audioBytes(400))
      if (key.startsWith('old'))
        utimesSync(join(folder, 'recordings', localFolder, accountSid, buildBucketKey(name)), daysAgo(8), daysAgo(8))
    }
    await store.retryAndPrune()
    expect(await store.findRecording(accountSid, recordings.old)).toBeUndefined()
    expect(await store.findRecording(accountSid, recordings.oldWithFutureDate)).toBeUndefined()
    expect(await store.findRecording(accountSid, recordings.recentWithPastDate)).toBeDefined()
    expect(new Set(listedPaths)).toEqual(new Set([`${accountSid}/${buildBucketKey(recordings.recentWithPastDate)}`]))
  })

  it('deletes the recordings of a deleted account, also those in progress', async () => {
    const { store } = openStore()
    const [name, deletedAccount] = [newRecordingName(), randomUUID()]
    await recordAudio(store, name, audioBytes(400), deletedAccount)
    const nameInProgress = newRecordingName()
    const recordingInProgress = await store.startRecording(deletedAccount, nameInProgress, {}, liveAudioFormat)
    await recordingInProgress.write(audioBytes(400))
    await store.removeByAccount(deletedAccount)
    await recordingInProgress.write(audioBytes(400))
    await recordingInProgress.end()
    expect(await store.findRecording(deletedAccount, name)).toBeUndefined()
    expect(await store.findRecording(deletedAccount, nameInProgress)).toBeUndefined()
  })

  it('applies the quota per account', async () => {
    const { store } = openStore({ maxBytes: 100_000 })
    const [first, second] = [newRecordingName(), newRecordingName()]
    await recordAudio(store, first, audioBytes(60_000))
    const incoming = await store.startRecording(accountSid, second, {}, liveAudioFormat)
    await incoming.write(audioBytes(30_000))
    await expect(incoming.write(audioBytes(30_000))).rejects.toThrow(QuotaReachedError)
    await incoming.end()
    expect(await store.findRecording(accountSid, second)).toMatchObject({ size: wavHeaderBytes + 30_000 })
    await recordAudio(store, newRecordingName(), audioBytes(90_000), randomUUID())
    const upload = await store.startRecording(accountSid, newRecordingName(), {})
    await expect(upload.write(audioBytes(30_000))).rejects.toThrow(QuotaReachedError)
    await upload.discard()
    await store.removeRecording(accountSid, first)
    await recordAudio(store, newRecordingName(), audioBytes(30_000))
  })

  it('counts uploads in progress when it measures the files of an account again', async () => {
    let now = Date.now()
    const { store } = openStore({ maxBytes: 100_000, clock: () => now })
    const [first, second] = [
      await store.startRecording(accountSid, newRecordingName(), {}),
      await store.startRecording(accountSid, newRecordingName(), {}),
    ]
    await first.write(audioBytes(60_000))
    now += 120_000
    await expect(second.write(audioBytes(60_000))).rejects.toThrow(QuotaReachedError)
    await second.discard()
    await first.end()
  })

  it('refuses a recording of an account with a used-up quota', async () => {
    const folder = newFolder()
    const { store } = openStore({ folder })
    await recordAudio(store, newRecordingName(), audioBytes(60_000))
    const { store: nextStore } = openStore({ folder, maxBytes: 50_000 })
    await expect(nextStore.startRecording(accountSid, newRecordingName(), {}, liveAudioFormat)).rejects.toThrow(
      QuotaReachedError,
    )
    await nextStore.startRecording(randomUUID(), newRecordingName(), {}, liveAudioFormat)
  })

  it('writes audio within a second, so that short calls survive a crash', async () => {
    const folder = newFolder()
    const { store } = openStore({ folder })
    const name = newRecordingName()
    const incoming = await store.startRecording(accountSid, name, {}, liveAudioFormat)
    /** The recording as it would be after a crash now. */
    const readAfterCrash = () => {
      const crashedFolder = newFolder()
      cpSync(folder, crashedFolder, { recursive: true })
      return readRecording(openStore({ folder: crashedFolder }).store, name)
    }
    await incoming.write(audioBytes(640))
    expect((await readAfterCrash())?.length).toBe(wavHeaderBytes + 640)
    for (let index = 0; index < 20; index += 1) await incoming.write(audioBytes(640))
    await expect.poll(async () => (await readAfterCrash())?.length, { timeout: 10_000 }).toBe(wavHeaderBytes + 21 * 640)
    await incoming.write(audioBytes(640))
    await incoming.end()
    expect((await readRecording(store, name))?.length).toBe(wavHeaderBytes + 22 * 640)
  })
})
