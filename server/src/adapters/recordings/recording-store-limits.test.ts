import { randomUUID } from 'node:crypto'
import { cpSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildRecordingKey } from '@trunkline/contract/calls/recording'
import {
  account,
  cleanUpArchives,
  contentOf,
  listDouble,
  named,
  newFolder,
  openStore,
  sound,
  recordAudio,
  spoken,
} from '../../../test/recording-archives'
import { QuotaReachedError } from '../../ports/recording-store'
import { headerBytes } from './wav-header'

cleanUpArchives()

describe('the recording store', () => {
  it('deletes files by time of arrival, whatever day their writer named', async () => {
    const folder = newFolder()
    const listed: string[] = []
    const { store } = openStore({ folder, retentionDays: 7, list: listDouble(listed) })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const far = { yyyy: '9999', mm: '12', dd: '31' }
    const recordings = { old: named(), oldOfFuture: { ...named(), ...far }, recentOfPast: { ...named(), yyyy: '2001' } }
    for (const [kind, name] of Object.entries(recordings)) {
      await recordAudio(store, name, sound(400))
      if (kind.startsWith('old'))
        utimesSync(join(folder, 'recordings', 'kept', account, buildRecordingKey(name)), daysAgo(8), daysAgo(8))
    }
    await store.prune()
    expect(await store.find(account, recordings.old)).toBeUndefined()
    expect(await store.find(account, recordings.oldOfFuture)).toBeUndefined()
    expect(await store.find(account, recordings.recentOfPast)).toBeDefined()
    expect(new Set(listed)).toEqual(new Set([`${account}/${buildRecordingKey(recordings.recentOfPast)}`]))
  })

  it('deletes the recordings of a deleted account', async () => {
    const { store } = openStore()
    const [name, other] = [named(), randomUUID()]
    await recordAudio(store, name, sound(400), other)
    await store.removeAccount(other)
    expect(await store.find(other, name)).toBeUndefined()
  })

  it('applies the quota per account', async () => {
    const { store } = openStore({ maxBytes: 100_000 })
    const [first, second] = [named(), named()]
    await recordAudio(store, first, sound(60_000))
    const incoming = await store.start(account, second, {}, spoken)
    await incoming.write(sound(30_000))
    await expect(incoming.write(sound(30_000))).rejects.toThrow(QuotaReachedError)
    await incoming.end()
    expect(await store.find(account, second)).toMatchObject({ size: headerBytes + 30_000 })
    await recordAudio(store, named(), sound(90_000), randomUUID())
    const upload = await store.start(account, named(), {})
    await expect(upload.write(sound(30_000))).rejects.toThrow(QuotaReachedError)
    await upload.discard()
    await store.remove(account, first)
    await recordAudio(store, named(), sound(30_000))
  })

  it('refuses a recording of an account with a used-up quota', async () => {
    const folder = newFolder()
    const { store } = openStore({ folder })
    await recordAudio(store, named(), sound(60_000))
    const { store: next } = openStore({ folder, maxBytes: 50_000 })
    await expect(next.start(account, named(), {}, spoken)).rejects.toThrow(QuotaReachedError)
    await next.start(randomUUID(), named(), {}, spoken)
  })

  it('writes audio within a second, so that short calls survive a crash', async () => {
    const folder = newFolder()
    const { store } = openStore({ folder })
    const name = named()
    const incoming = await store.start(account, name, {}, spoken)
    const left = () => {
      const copy = newFolder()
      cpSync(folder, copy, { recursive: true })
      return contentOf(openStore({ folder: copy }).store, name)
    }
    await incoming.write(sound(640))
    expect((await left())?.length).toBe(headerBytes + 640)
    for (let part = 0; part < 20; part += 1) await incoming.write(sound(640))
    await expect.poll(async () => (await left())?.length, { timeout: 10_000 }).toBe(headerBytes + 21 * 640)
    await incoming.write(sound(640))
    await incoming.end()
    expect((await contentOf(store, name))?.length).toBe(headerBytes + 22 * 640)
  })
})
