import { setImmediate as yieldToEventLoop, setTimeout as delay } from 'node:timers/promises'

/** The target duration of a batch and the limits of its size. */
export interface BatchLimits {
  targetMs: number
  initialRows: number
  minRows: number
  maxRows: number
}

/** Creates a batch size that adapts to the target duration: it at most doubles after a batch, and shrinks immediately. */
export const createAdaptiveBatchSize = ({ targetMs, initialRows, minRows, maxRows }: BatchLimits) => {
  let rows = initialRows
  return {
    current: () => rows,
    /** Adapts the size to the duration of the last batch. */
    adjust(elapsedMs: number): void {
      const fittingRows = Math.min(rows * 2, (rows * targetMs) / Math.max(elapsedMs, 0.1))
      rows = Math.round(Math.min(maxRows, Math.max(minRows, fittingRows)))
    },
  }
}

/** The time to work without a pause. SQLite runs in this thread and blocks all requests meanwhile. */
const sliceMs = 12

export interface SliceOptions {
  /** Stops the work between two batches. */
  signal?: AbortSignal | undefined
  /** See `Database.checkpointWal`. */
  checkpointWal?: (() => Promise<void>) | undefined
}

/**
 * Runs background work in batches until one reports that nothing is left. Waiting requests run between batches, and after each
 * slice of time the work pauses for as long as it took.
 */
export const runInSlices = async (
  processBatch: (rows: number) => Promise<{ hasMore: boolean }>,
  { signal, checkpointWal }: SliceOptions,
): Promise<void> => {
  const batchSize = createAdaptiveBatchSize({ targetMs: sliceMs, initialRows: 100, minRows: 20, maxRows: 2000 })
  let workedMs = 0
  while (!signal?.aborted) {
    const startedAt = performance.now()
    const { hasMore } = await processBatch(batchSize.current())
    if (!hasMore) return
    const elapsedMs = performance.now() - startedAt
    batchSize.adjust(elapsedMs)
    workedMs += elapsedMs
    if (workedMs < sliceMs) await yieldToEventLoop()
    else {
      await Promise.all([delay(workedMs), checkpointWal?.()])
      workedMs = 0
    }
  }
}

/**
 * Creates a queue for work in batches: the returned function waits for the next turn of the event loop that no earlier caller has.
 * So batches of several requests alternate, and other requests run between them.
 */
export const createTurnQueue = (): (() => Promise<void>) => {
  let lastTurn = Promise.resolve()
  return () => (lastTurn = lastTurn.then(() => yieldToEventLoop()))
}

/** Handles items in batches of adaptive size, each in its own turn of the queue. */
export const runInTurns = async <Item>(
  items: readonly Item[],
  { limits, waitForTurn }: { limits: BatchLimits; waitForTurn: () => Promise<void> },
  handleBatch: (batch: Item[]) => Promise<void>,
): Promise<void> => {
  const batchSize = createAdaptiveBatchSize(limits)
  for (let start = 0; start < items.length;) {
    await waitForTurn()
    const startedAt = performance.now()
    const batch = items.slice(start, start + batchSize.current())
    await handleBatch(batch)
    start += batch.length
    batchSize.adjust(performance.now() - startedAt)
  }
}
