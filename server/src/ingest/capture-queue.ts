import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { StorageFull, Unavailable } from '../ports/unavailable'

/** What is said of the taking in: a server's log. */
export interface Log {
  warn: (facts: object | string, words?: string) => void
  error: (facts: object | string, words?: string) => void
}

/** Why a packet was left out. */
export type LeftOut = 'unreadable' | 'refused' | 'other' | 'lost'

const mebibyte = 1024 * 1024
/** Bytes that may wait to be written. What comes over UDP beyond that is lost, TCP has to wait. */
const mostWaiting = 32 * mebibyte
/** Messages and bytes of one transaction: while it is being written, nothing else is done. */
const messagesAtOnce = 250
const bytesAtOnce = mebibyte
/** Milliseconds in which messages come together, so that those of one dialogue lie together. */
const gathering = 25
/** Milliseconds until a database that does not answer is tried again. */
const retrying = 1000
/** Milliseconds between two lines of what was left out. */
const telling = 60_000

const sizeOf = ({ payload }: CapturedMessage) => payload.length + 128

/** Hands captured messages to the store, many at once and one write after the other. */
export const capturing = (store: CaptureStore, log: Log) => {
  const waiting: CapturedMessage[] = []
  let bytes = 0
  let working: Promise<void> | undefined
  let closed = false
  /** Said once when it begins and once when it is over. */
  let full = false
  const eased: (() => void)[] = []
  let leftOut: Partial<Record<LeftOut, number>> = {}

  const tell = () => {
    if (Object.keys(leftOut).length > 0) log.warn(leftOut, 'Captured packets were left out')
    leftOut = {}
  }
  const teller = setInterval(tell, telling)
  teller.unref()

  const leave = (why: LeftOut, count = 1) => {
    leftOut[why] = (leftOut[why] ?? 0) + count
  }

  const next = (): CapturedMessage[] => {
    let count = 0
    for (let size = 0; count < waiting.length && count < messagesAtOnce && size < bytesAtOnce; count += 1)
      size += sizeOf(waiting[count]!)
    return waiting.slice(0, count)
  }

  const done = (batch: readonly CapturedMessage[]) => {
    waiting.splice(0, batch.length)
    for (const message of batch) bytes -= sizeOf(message)
    if (bytes > mostWaiting / 2) return
    for (const ease of eased.splice(0)) ease()
  }

  const noteFull = (now: boolean, reason = '') => {
    if (full === now) return
    full = now
    if (now) log.error(`New captures are refused: ${reason}`)
    else log.warn('Captures are taken in again')
  }

  /** Resolves with how many milliseconds to wait before the next one. */
  const write = async (batch: readonly CapturedMessage[]): Promise<number> => {
    try {
      await store.keep(batch)
      noteFull(false)
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error)
      if (error instanceof StorageFull) noteFull(true, words)
      else log.error({ err: error }, 'Captures could not be written')
      if (error instanceof Unavailable && !(error instanceof StorageFull) && !closed) return retrying
      leave('lost', batch.length)
    }
    done(batch)
    return 0
  }

  const work = async () => {
    while (waiting.length > 0) {
      const pause = await write(next())
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    }
    working = undefined
  }

  const start = () => {
    working ??= new Promise<void>((resolve) => setTimeout(resolve, gathering)).then(work)
  }

  return {
    leave,
    /** Takes a message in, unless too many wait. */
    take(message: CapturedMessage): void {
      if (bytes > mostWaiting) return leave('lost')
      waiting.push(message)
      bytes += sizeOf(message)
      start()
    },
    /** Resolves when there is room again, for who can wait. */
    room: (): Promise<void> | undefined =>
      bytes > mostWaiting / 2 ? new Promise((resolve) => eased.push(resolve)) : undefined,
    /** Writes what is waiting. Nothing may be taken in any more. */
    async close() {
      closed = true
      clearInterval(teller)
      await working
      tell()
    },
  }
}

export type Capturing = ReturnType<typeof capturing>
