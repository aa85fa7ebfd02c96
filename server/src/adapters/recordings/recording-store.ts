import { randomUUID } from 'node:crypto'
import { open as openFile, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { recordFormats, type BucketCredential } from '@trunkline/contract/calls/bucket'
import { recordingKey, recordingMimeType, type RecordingName } from '@trunkline/contract/calls/recording'
import {
  UploadInProgress,
  type IncomingRecording,
  type RecordingArchive,
  type RecordingList,
  type RawAudio,
} from '../../ports/recording-archive'
import type { RecordingStore, OpenRecordingStore } from '../../ports/recordings'
import { bucketsOpen } from './bucket-cache'
import { comingFile, freeOnDisk, mend, type Free } from './incoming-file'
import { fileRecordings } from './file-storage'
import { diskUsage } from './disk-usage'
import { metadataOf } from './metadata'
import { applyRetention } from './retention'
import { keysIn, recordingOf } from './recording-keys'
import { formIn, headLength } from './wav-header'

export interface ArchiveOptions {
  folder: string
  /** The credential of an account's bucket, where it has one. */
  bucketOf: (account_sid: string) => Promise<BucketCredential | undefined>
  open: OpenRecordingStore
  list: RecordingList
  /** Days that files are kept; 0: for ever. Buckets have rules of their owners. */
  days: number
  /** Bytes that each account may keep in files; 0: any number. */
  maxBytes: number
  /** Tells an operator what went wrong without anybody waiting for it. */
  tell: (fault: string) => void
  free?: Free
  clock?: () => number
}

/** A whole recording is brought to its bucket in this time, or later once more. Milliseconds. */
const patience = 30 * 60_000
/** What is asked of a storage while somebody waits. */
const soon = () => AbortSignal.timeout(15_000)

const words = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** The name in each format, the one that was asked for first. */
const spellings = (name: RecordingName) =>
  [name.format, ...recordFormats.filter((each) => each !== name.format)].map((format) => ({ ...name, format }))

const keyOf = (account_sid: string, name: RecordingName) => `${account_sid.toLowerCase()}/${recordingKey(name)}`
const ownerOf = (key: string) => key.slice(0, key.indexOf('/'))
/** In a bucket nobody else's recordings are expected. */
const inBucket = (key: string) => key.slice(key.indexOf('/') + 1)

/** Accounts may share a bucket, and keys do not tell whose a recording is; what is said beside it does. */
const isForeign = ({ accountsid = '' }: Record<string, string>, account_sid: string) =>
  accountsid !== '' && accountsid.toLowerCase() !== account_sid.toLowerCase()

/** Is this a file of spoken sound at that rate, to which more can be added? */
const canGoOn = async (path: string, { sampleRate }: RawAudio): Promise<boolean> => {
  const file = await openFile(path, 'r').catch(() => undefined)
  if (!file) return false
  const head = Buffer.alloc(headLength)
  await file.read(head, 0, headLength, 0).finally(() => file.close())
  return formIn(head)?.sampleRate === sampleRate
}

/**
 * Recordings are written to files first, because a bucket that is out of reach must not end a recording: what comes in is
 * in `coming`, what its bucket has not got yet in `waiting`, and what has no bucket stays in `kept`.
 */
export const recordingArchive = (options: ArchiveOptions): RecordingArchive => {
  const { folder, bucketOf, list, tell, days, maxBytes, free = freeOnDisk, clock = Date.now } = options
  const root = join(folder, 'recordings')
  const placeOf = (name: string) => fileRecordings(join(root, name))
  const [comes, waiting, kept] = [placeOf('coming'), placeOf('waiting'), placeOf('kept')]
  const uploads = join(root, 'uploads')
  const usage = diskUsage({ folders: ['coming', 'kept', 'waiting'].map((name) => join(root, name)), maxBytes, clock })
  const buckets = bucketsOpen(options.open)
  /** What comes in, by key; nothing yet while its file is being opened. */
  const taking = new Map<string, IncomingRecording | undefined>()
  /** What is on its way to a bucket, by key. */
  const underway = new Map<string, Promise<void>>()

  const bucket = async (account_sid: string) => {
    const credential = await bucketOf(account_sid)
    return credential && { credential, recordings: await buckets.of(account_sid, credential) }
  }

  const bring = async (key: string): Promise<void> => {
    const there = await bucket(ownerOf(key))
    // the account keeps its recordings here from now on
    if (!there) return kept.adopt(key, waiting)
    const signal = AbortSignal.timeout(patience)
    const found = await waiting.statObject(key, signal)
    if (!found) return
    const content = {
      stream: await waiting.open(key, signal),
      size: found.size,
      type: recordingMimeType(key.endsWith('.mp3') ? 'mp3' : 'wav'),
      userMetadata: metadataOf(found.userMetadata, there.credential.tags ?? []),
    }
    await there.recordings.write(inBucket(key), content, signal)
    await waiting.remove(key, signal)
  }

  /** Brings one to its bucket, once at a time; what fails is told and tried again later. */
  const deliver = (key: string): Promise<void> => {
    const running = underway.get(key)
    if (running) return running
    const work = bring(key)
      .catch((error: unknown) => tell(`The recording ${key} could not be brought to its bucket: ${words(error)}`))
      .finally(() => underway.delete(key))
    underway.set(key, work)
    return work
  }

  /** Are all recordings on the list that are here? */
  let listed = false

  /** What is safe is no failure because a list does not say so yet. */
  const enlist = async (keys: string[]): Promise<boolean> => {
    try {
      await list.add(keys.flatMap(recordingOf))
      return true
    } catch (error) {
      tell(`Calls do not know of their recordings yet: ${words(error)}`)
      return false
    }
  }

  const settle = async (key: string) => {
    const toBucket = (await bucketOf(ownerOf(key))) !== undefined
    await (toBucket ? waiting : kept).adopt(key, comes)
    listed = (await enlist([key])) && listed
    if (toBucket) void deliver(key)
  }

  /** What a killed process left: what was spoken is made a file that can be played, and half of a file is nothing. */
  const recover = async () => {
    for (const key of await keysIn(join(root, 'coming')))
      if (await mend(comes.pathOf(key)).catch(() => false)) await settle(key)
    for (const name of ['coming', 'uploads']) await rm(join(root, name), { recursive: true, force: true })
  }
  const recovered = recover().catch((error: unknown) => tell(`Recordings could not be recovered: ${words(error)}`))

  const search = async (account_sid: string, name: RecordingName) => {
    await recovered
    const look = async (place: RecordingStore, keyIn: (key: string) => string) => {
      for (const each of spellings(name)) {
        const key = keyIn(keyOf(account_sid, each))
        const found = await place.statObject(key, soon())
        if (found && !isForeign(found.userMetadata, account_sid))
          return { place, key, format: each.format, size: found.size }
      }
      return undefined
    }
    const whole = (key: string) => key
    const here = (await look(kept, whole)) ?? (await look(waiting, whole))
    const there = here ? undefined : await bucket(account_sid)
    return here ?? (there && (await look(there.recordings, inBucket)))
  }

  /** The part of a call that was recorded before the line broke, brought back so that the rest can follow it. */
  const takeUp = async (key: string, spoken: RawAudio): Promise<boolean> => {
    await underway.get(key)
    for (const place of [kept, waiting])
      if (await canGoOn(place.pathOf(key), spoken)) {
        await comes.adopt(key, place)
        return true
      }
    return false
  }

  /** Begins a file and says how it ends: kept whole, or gone. */
  const take = async (key: string, said: Record<string, string>, spoken?: RawAudio): Promise<IncomingRecording> => {
    const path = spoken ? comes.pathOf(key) : join(uploads, randomUUID())
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const counter = await usage.open(ownerOf(key))
    const goesOn = spoken !== undefined && (await takeUp(key, spoken))
    const file = await comingFile({ path, spoken, goesOn, free })
    if (spoken) await comes.note(key, said)
    const forgetIt = async () => {
      counter.cancel()
      await rm(path, { force: true })
      if (spoken) await comes.remove(key, soon())
    }
    const keep = async () => {
      if (!spoken) {
        await comes.note(key, said)
        await rename(path, comes.pathOf(key))
      }
      await settle(key)
    }
    return {
      async write(bytes) {
        await counter.add(bytes.length)
        await file.write(bytes)
      },
      async end() {
        const { holds, fault } = await file.close()
        await (holds ? keep() : forgetIt())
        if (fault) throw fault as Error
      },
      async drop() {
        await file.close()
        await forgetIt()
      },
    }
  }

  const begin: RecordingArchive['startUpload'] = async (account_sid, name, about, spoken) => {
    await recovered
    const key = keyOf(account_sid, name)
    if (taking.has(key)) throw new UploadInProgress()
    taking.set(key, undefined)
    const over = () => taking.delete(key)
    try {
      const taken = await take(key, { ...about, accountSid: account_sid }, spoken)
      let ended: Promise<void> | undefined
      const recording: IncomingRecording = {
        write: (bytes) => (ended ? Promise.resolve() : taken.write(bytes)),
        end: () => (ended ??= taken.end().finally(over)),
        drop: () => (ended ??= taken.drop().finally(over)),
      }
      taking.set(key, recording)
      return recording
    } catch (error) {
      over()
      throw error
    }
  }

  return {
    startUpload: begin,

    async find(account_sid, name) {
      const found = await search(account_sid, name)
      if (!found) return undefined
      const { place, key, format, size } = found
      return { format, size, open: (signal, stretch) => place.open(key, signal, stretch) }
    },

    accountsOf: (call_sid) => list.accountsOf(call_sid),

    async isKnown(account_sid, name) {
      if (await bucketOf(account_sid)) return false
      const known = await list.of([{ account_sid, call_sid: name.call_sid }])
      return known.some((each) => recordingKey({ ...each.name, format: name.format }) === recordingKey(name))
    },

    async remove(account_sid, name) {
      for (const each of spellings(name)) await underway.get(keyOf(account_sid, each))
      const found = await search(account_sid, name)
      await found?.place.remove(found.key, soon())
      usage.forget(account_sid.toLowerCase())
      // what is not here may be in the files of another server
      if (found) await list.drop({ account_sid, name })
      return found !== undefined
    },

    async forget(account_sid) {
      for (const place of ['waiting', 'kept'])
        await rm(join(root, place, account_sid.toLowerCase()), { recursive: true, force: true })
      await list.forget(account_sid)
    },

    async prune() {
      await recovered
      const waits = await keysIn(join(root, 'waiting'))
      // what an older version kept, and what the list did not take when it came
      listed ||= await enlist([...waits, ...(await keysIn(join(root, 'kept')))])
      for (const key of waits) await deliver(key)
      const retention = { list, clock }
      await applyRetention({ ...retention, folder: join(root, 'kept'), files: kept, days })
      // what its bucket has not taken yet is kept until it does
      await applyRetention({ ...retention, folder: join(root, 'waiting'), files: waiting, days: 0 })
    },

    async close() {
      await recovered
      await Promise.allSettled([...taking.values()].flatMap((recording) => (recording ? [recording.end()] : [])))
      await Promise.all([...underway.values()])
      buckets.close()
    },
  }
}
