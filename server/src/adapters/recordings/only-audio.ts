import { isAudio } from '../../ports/audio-signature'
import { messages } from '@trunkline/contract/messages/bucket'
import { StorageError, type ObjectInfo, type RecordingStore } from '../../ports/recordings'

/** Bytes from which the kind of a file can be told. */
const headLength = 12
const maxRemembered = 1_000

const readHead = async (recordings: RecordingStore, key: string, signal: AbortSignal): Promise<Buffer> => {
  const stream = await recordings.open(key, signal, { from: 0, to: headLength - 1 })
  let head: Buffer = Buffer.alloc(0)
  try {
    for await (const part of stream) {
      head = Buffer.concat([head, part as Buffer])
      if (head.length >= headLength) break
    }
  } catch {
    throw new StorageError(messages.fault.unknown)
  }
  return head
}

/**
 * A bucket of which only recordings are handed out. Tenants choose the server behind a bucket, and whatever else that server answers
 * must not be read through this one.
 */
export const onlyAudio = (recordings: RecordingStore): RecordingStore => {
  /** Objects of a general type whose first bytes are known to be those of a recording. */
  const verified = new Set<string>()

  const verify = async (key: string, { size, type }: ObjectInfo, signal: AbortSignal): Promise<void> => {
    const object = `${key} ${size}`
    if (size === 0 || type?.startsWith('audio/') || verified.has(object)) return
    const head = await readHead(recordings, key, signal)
    if (!isAudio(head)) throw new StorageError(messages.fault.notAudio)
    if (verified.size >= maxRemembered) verified.clear()
    verified.add(object)
  }

  return {
    ...recordings,
    async statObject(key, signal) {
      const known = await recordings.statObject(key, signal)
      if (known) await verify(key, known, signal)
      return known
    },
  }
}
