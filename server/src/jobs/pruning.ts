/** Milliseconds between two rounds. */
const intervalMs = 3_600_000

/**
 * Lets stores delete what is older than it is to be kept: at the start, without delaying it, and every hour. Returns how
 * to stop, which waits for the piece of work in progress and not for the whole round.
 */
export const startPruning = (
  stores: readonly { prune: (stopped: AbortSignal) => Promise<void> }[],
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const controller = new AbortController()
  const { signal } = controller
  const round = async () => {
    for (const store of stores) if (!signal.aborted) await store.prune(signal).catch(onFailure)
  }
  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    controller.abort()
    return running
  }
}
