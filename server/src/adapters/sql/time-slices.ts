import { setImmediate as yieldToEventLoop, setTimeout as delay } from 'node:timers/promises'

/** The target duration of a batch and the limits of its size. */
interface BatchLimits {
  targetMs: number
  firstRows: number
  minRows: number
  maxRows: number
}

/** Adapts the batch size to the target duration: grows slowly, shrinks immediately. */
export const adaptiveBatchSize = ({ targetMs, firstRows, minRows, maxRows }: BatchLimits) => {
  let rows = firstRows
  return {
    rows: () => rows,
    adjust(elapsedMs: number): void {
      const fittingRows = Math.min(rows * 2, (rows * targetMs) / Math.max(elapsedMs, 0.1))
      rows = Math.round(Math.min(maxRows, Math.max(minRows, fittingRows)))
    },
  }
}

/** SQLite runs in this thread and blocks all requests for this long. */
const sliceMs = 12

/**
 * Runs background work in batches until one reports that nothing is left. Waiting requests run between batches, and after each
 * slice of time the work pauses for as long as it took.
 */
export const runInSlices = async (
  processBatch: (rows: number) => Promise<{ hasMore: boolean }>,
  signal?: AbortSignal,
): Promise<void> => {
  const size = adaptiveBatchSize({ targetMs: sliceMs, firstRows: 100, minRows: 20, maxRows: 2000 })
  let workedMs = 0
  while (!signal?.aborted) {
    const startedAt = performance.now()
    const { hasMore } = await processBatch(size.rows())
    if (!hasMore) return
    const elapsedMs = performance.now() - startedAt
    size.adjust(elapsedMs)
    workedMs += elapsedMs
    if (workedMs < sliceMs) await yieldToEventLoop()
    else {
      await delay(workedMs)
      workedMs = 0
    }
  }
}

/** A queue for work in batches in this thread: one batch per turn of the event loop, in the order of requests. */
export const turnQueue = (): (() => Promise<void>) => {
  let last = Promise.resolve()
  return () => (last = last.then(() => yieldToEventLoop()))
}
