import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { StorageFullError, UnavailableError } from '../ports/service-errors'
import { createStorageLog } from './storage-log'

/** The server's log. */
export interface Log {
  warn: (details: object | string, message?: string) => void
  error: (details: object | string, message?: string) => void
}

/** Why a packet was dropped: it is not HEP, has a wrong key, contains no SIP message, or could not be stored. */
export type DropReason = 'notHep' | 'wrongKey' | 'notSip' | 'notStored'

const mebibyte = 1024 * 1024
/** Maximum bytes in the queue. Above it, UDP packets are dropped and TCP connections are paused. */
const maxQueuedBytes = 32 * mebibyte
/** Messages and bytes per transaction. SQLite blocks this thread while it writes. */
const maxBatchMessages = 250
const maxBatchBytes = mebibyte
/** Delay before a batch is written, so that the messages of one SIP dialog are in one batch. */
const batchDelayMs = 25
/** Delay before a retry if the database does not respond. */
const retryDelayMs = 1000
/** Interval between log lines about dropped packets. */
const logIntervalMs = 60_000

/** Estimates the memory of a queued message. */
const sizeOf = ({ payload }: CapturedMessage) => payload.length + 128

/** Receives the number of packets that were dropped for a reason. */
export type DropObserver = (reason: DropReason, count: number) => void

/** Creates a queue that passes captured messages to the store in batches, one write at a time. */
export const createCaptureQueue = (store: CaptureStore, log: Log, onDropped: DropObserver = () => undefined) => {
  const queue: CapturedMessage[] = []
  let queuedBytes = 0
  let runningWrites: Promise<void> | undefined
  let isClosed = false
  const storageStatus = createStorageLog('captures')
  const drainListeners: (() => void)[] = []
  let dropCounts: Partial<Record<DropReason, number>> = {}

  const logDrops = () => {
    if (Object.keys(dropCounts).length > 0) log.warn(dropCounts, 'Captured packets were dropped')
    dropCounts = {}
  }
  const logTimer = setInterval(logDrops, logIntervalMs)
  logTimer.unref()

  const countDropped = (reason: DropReason, count = 1) => {
    dropCounts[reason] = (dropCounts[reason] ?? 0) + count
    onDropped(reason, count)
  }

  const peekBatch = (): CapturedMessage[] => {
    let count = 0
    for (let size = 0; count < queue.length && count < maxBatchMessages && size < maxBatchBytes; count += 1)
      size += sizeOf(queue[count]!)
    return queue.slice(0, count)
  }

  const removeBatch = (batch: readonly CapturedMessage[]) => {
    queue.splice(0, batch.length)
    for (const message of batch) queuedBytes -= sizeOf(message)
    if (queuedBytes > maxQueuedBytes / 2) return
    for (const notify of drainListeners.splice(0)) notify()
  }

  /** Writes a batch. Resolves with the delay in milliseconds before the next write, which is a retry if the delay is not 0. */
  const write = async (batch: readonly CapturedMessage[]): Promise<number> => {
    try {
      await store.storeMessages(batch)
      storageStatus.reportStored(log)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (error instanceof StorageFullError) storageStatus.reportFull(log, message)
      else log.error({ err: error }, 'Captures could not be written')
      if (error instanceof UnavailableError && !(error instanceof StorageFullError) && !isClosed) return retryDelayMs
      countDropped('notStored', batch.length)
    }
    removeBatch(batch)
    return 0
  }

  const writeAll = async () => {
    while (queue.length > 0) {
      const delayMs = await write(peekBatch())
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
    runningWrites = undefined
  }

  const scheduleWrites = () => {
    runningWrites ??= new Promise<void>((resolve) => setTimeout(resolve, batchDelayMs)).then(writeAll)
  }

  return {
    /** Counts packets that were dropped, for the log. */
    countDropped,
    /** Adds a message, or drops it if the queue is full. */
    enqueue(message: CapturedMessage): void {
      if (queuedBytes > maxQueuedBytes) return countDropped('notStored')
      queue.push(message)
      queuedBytes += sizeOf(message)
      scheduleWrites()
    },
    /** Resolves when the queue has space again; undefined if it has space now. */
    waitForSpace: (): Promise<void> | undefined =>
      queuedBytes > maxQueuedBytes / 2 ? new Promise((resolve) => drainListeners.push(resolve)) : undefined,
    /** The bytes that wait to be stored. */
    getQueueSize: () => queuedBytes,
    /** Writes the queued messages. No further messages may be added. */
    async close() {
      isClosed = true
      clearInterval(logTimer)
      await runningWrites
      logDrops()
    },
  }
}

export type CaptureQueue = ReturnType<typeof createCaptureQueue>
