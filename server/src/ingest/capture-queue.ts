import type { CapturedMessage, CaptureStore } from '../ports/captures'
import { StorageFullError, UnavailableError } from '../ports/service-errors'
import { storageLog } from './storage-log'

/** The server's log. */
export interface Log {
  warn: (details: object | string, message?: string) => void
  error: (details: object | string, message?: string) => void
}

/** The reason why a packet was dropped. */
export type DropReason = 'unreadable' | 'refused' | 'other' | 'lost'

const mebibyte = 1024 * 1024
/** Maximum bytes in the queue. Above it, UDP packets are dropped and TCP connections are paused. */
const maxQueuedBytes = 32 * mebibyte
/** Messages and bytes per transaction. SQLite blocks this thread while it writes. */
const maxBatchMessages = 250
const maxBatchBytes = mebibyte
/** Delay before a batch is written, so that the messages of a dialogue are stored together. */
const batchDelayMs = 25
/** Delay before a retry if the database does not respond. */
const retryDelayMs = 1000
/** Interval between log lines about dropped packets. */
const logIntervalMs = 60_000

const sizeOf = ({ payload }: CapturedMessage) => payload.length + 128

/** Passes captured messages to the store in batches, one write at a time. */
export const captureQueue = (store: CaptureStore, log: Log) => {
  const queue: CapturedMessage[] = []
  let queuedBytes = 0
  let running: Promise<void> | undefined
  let isClosed = false
  const storage = storageLog('captures')
  const drainListeners: (() => void)[] = []
  let dropCounts: Partial<Record<DropReason, number>> = {}

  const logDrops = () => {
    if (Object.keys(dropCounts).length > 0) log.warn(dropCounts, 'Captured packets were dropped')
    dropCounts = {}
  }
  const logTimer = setInterval(logDrops, logIntervalMs)
  logTimer.unref()

  const drop = (reason: DropReason, count = 1) => {
    dropCounts[reason] = (dropCounts[reason] ?? 0) + count
  }

  const nextBatch = (): CapturedMessage[] => {
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

  /** Resolves with the delay in milliseconds before the next write. */
  const write = async (batch: readonly CapturedMessage[]): Promise<number> => {
    try {
      await store.add(batch)
      storage.reportStored(log)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (error instanceof StorageFullError) storage.reportFull(log, message)
      else log.error({ err: error }, 'Captures could not be written')
      if (error instanceof UnavailableError && !(error instanceof StorageFullError) && !isClosed) return retryDelayMs
      drop('lost', batch.length)
    }
    removeBatch(batch)
    return 0
  }

  const run = async () => {
    while (queue.length > 0) {
      const delayMs = await write(nextBatch())
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs))
    }
    running = undefined
  }

  const start = () => {
    running ??= new Promise<void>((resolve) => setTimeout(resolve, batchDelayMs)).then(run)
  }

  return {
    drop,
    /** Adds a message, or drops it if the queue is full. */
    enqueue(message: CapturedMessage): void {
      if (queuedBytes > maxQueuedBytes) return drop('lost')
      queue.push(message)
      queuedBytes += sizeOf(message)
      start()
    },
    /** Resolves when the queue has space again; undefined if it has. */
    waitForSpace: (): Promise<void> | undefined =>
      queuedBytes > maxQueuedBytes / 2 ? new Promise((resolve) => drainListeners.push(resolve)) : undefined,
    /** Writes the queued messages. No further messages may be added. */
    async close() {
      isClosed = true
      clearInterval(logTimer)
      await running
      logDrops()
    },
  }
}

export type CaptureQueue = ReturnType<typeof captureQueue>
