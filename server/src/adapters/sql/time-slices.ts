import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'

/** How long one piece of work should take, and the bounds of what it handles. */
interface PieceLimits {
  targetMs: number
  firstRows: number
  minRows: number
  maxRows: number
}

/** Finds out how many rows take about the wanted time: grows slowly, and shrinks at once. */
export const pieceSize = ({ targetMs, firstRows, minRows, maxRows }: PieceLimits) => {
  let rows = firstRows
  return {
    rows: () => rows,
    measured(elapsedMs: number): void {
      const fitting = Math.min(rows * 2, (rows * targetMs) / Math.max(elapsedMs, 0.1))
      rows = Math.round(Math.min(maxRows, Math.max(minRows, fitting)))
    },
  }
}

/** SQLite works in this thread: for this long nothing else is served. */
const sliceMs = 12

/**
 * Does background work in pieces until one reports that nothing is left. Between two pieces all waiting requests are
 * served, and after each slice of time the work rests for as long as it took.
 */
export const inSlices = async (
  piece: (rows: number) => Promise<{ more: boolean }>,
  stopped?: AbortSignal,
): Promise<void> => {
  const size = pieceSize({ targetMs: sliceMs, firstRows: 100, minRows: 20, maxRows: 2000 })
  let workedMs = 0
  while (!stopped?.aborted) {
    const startedAt = performance.now()
    const { more } = await piece(size.rows())
    if (!more) return
    const elapsedMs = performance.now() - startedAt
    size.measured(elapsedMs)
    workedMs += elapsedMs
    if (workedMs < sliceMs) await nextTurn()
    else {
      await delay(workedMs)
      workedMs = 0
    }
  }
}

/**
 * A queue for work that is done in pieces in this thread: only one piece runs in each turn of the event loop, however many
 * callers there are. They come in the order in which they asked.
 */
export const turnQueue = (): (() => Promise<void>) => {
  let last = Promise.resolve()
  return () => (last = last.then(() => nextTurn()))
}
