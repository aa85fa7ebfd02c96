import { randomUUID } from 'node:crypto'
import { cpSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordingKey } from '@trunkline/contract/calls/recording'
import {
  account,
  cleanUpArchives,
  contentOf,
  listDouble,
  named,
  newFolder,
  opened,
  sound,
  speak,
  spoken,
} from '../../../test/recording-archives'
import { QuotaReached } from '../../ports/recording-archive'
import { headLength } from './wav-header'

cleanUpArchives()

describe('the archive', () => {
  it('deletes what arrived longer ago than files are kept, whatever day its writer named', async () => {
    const folder = newFolder()
    const listed: string[] = []
    const { archive } = opened({ folder, days: 7, list: listDouble(listed) })
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
    const far = { yyyy: '9999', mm: '12', dd: '31' }
    const recordings = { old: named(), oldOfFuture: { ...named(), ...far }, recentOfPast: { ...named(), yyyy: '2001' } }
    for (const [kind, name] of Object.entries(recordings)) {
      await speak(archive, name, sound(400))
      if (kind.startsWith('old'))
        utimesSync(join(folder, 'recordings', 'kept', account, recordingKey(name)), daysAgo(8), daysAgo(8))
    }
    await archive.prune()
    expect(await archive.find(account, recordings.old)).toBeUndefined()
    expect(await archive.find(account, recordings.oldOfFuture)).toBeUndefined()
    expect(await archive.find(account, recordings.recentOfPast)).toBeDefined()
    expect(new Set(listed)).toEqual(new Set([`${account}/${recordingKey(recordings.recentOfPast)}`]))
  })

  it('deletes the recordings of an account that is gone', async () => {
    const { archive } = opened()
    const [name, other] = [named(), randomUUID()]
    await speak(archive, name, sound(400), other)
    await archive.forget(other)
    expect(await archive.find(other, name)).toBeUndefined()
  })

  it('keeps no more of an account than it may, and as much of others', async () => {
    const { archive } = opened({ maxBytes: 100_000 })
    const [first, second] = [named(), named()]
    await speak(archive, first, sound(60_000))
    const coming = await archive.startUpload(account, second, {}, spoken)
    await coming.write(sound(30_000))
    await expect(coming.write(sound(30_000))).rejects.toThrow(QuotaReached)
    await coming.end()
    expect(await archive.find(account, second)).toMatchObject({ size: headLength + 30_000 })
    await speak(archive, named(), sound(90_000), randomUUID())
    const upload = await archive.startUpload(account, named(), {})
    await expect(upload.write(sound(30_000))).rejects.toThrow(QuotaReached)
    await upload.drop()
    await archive.remove(account, first)
    await speak(archive, named(), sound(30_000))
  })

  it('refuses a recording of an account that has no room left', async () => {
    const folder = newFolder()
    const { archive } = opened({ folder })
    await speak(archive, named(), sound(60_000))
    const { archive: next } = opened({ folder, maxBytes: 50_000 })
    await expect(next.startUpload(account, named(), {}, spoken)).rejects.toThrow(QuotaReached)
    await next.startUpload(randomUUID(), named(), {}, spoken)
  })

  it('writes sound to the disk within a second, so that a killed process leaves short calls', async () => {
    const folder = newFolder()
    const { archive } = opened({ folder })
    const name = named()
    const coming = await archive.startUpload(account, name, {}, spoken)
    const left = () => {
      const copy = newFolder()
      cpSync(folder, copy, { recursive: true })
      return contentOf(opened({ folder: copy }).archive, name)
    }
    await coming.write(sound(640))
    expect((await left())?.length).toBe(headLength + 640)
    for (let part = 0; part < 20; part += 1) await coming.write(sound(640))
    await expect.poll(async () => (await left())?.length, { timeout: 10_000 }).toBe(headLength + 21 * 640)
    await coming.write(sound(640))
    await coming.end()
    expect((await contentOf(archive, name))?.length).toBe(headLength + 22 * 640)
  })
})
