import { startRepeating, type TaskObserver } from './repeat'

const pruneIntervalMs = 3_600_000

/** Prunes the stores at the start, in the background, and every hour. Returns a function that stops the job. */
export const startPruning = (
  stores: readonly { prune: (signal: AbortSignal) => Promise<void> }[],
  observer: TaskObserver,
): (() => Promise<void>) =>
  startRepeating(
    stores.map((store) => (signal) => store.prune(signal)),
    { intervalMs: pruneIntervalMs, ...observer },
  )
