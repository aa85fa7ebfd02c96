/** Milliseconds between two rounds. */
const hour = 3_600_000

/**
 * Lets stores delete what is older than it is to be kept: at the start, without delaying it, and every hour. Returns how
 * to stop, which waits for the piece of work in progress and not for the whole round.
 */
export const pruning = (
  stores: readonly { prune: (stopped: AbortSignal) => Promise<void> }[],
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal } = stopping
  const round = async () => {
    for (const store of stores) if (!signal.aborted) await store.prune(signal).catch(onFailure)
  }
  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, hour)
  timer.unref()
  return () => {
    clearInterval(timer)
    stopping.abort()
    return running
  }
}
