const pruneIntervalMs = 3_600_000

/**
 * Prunes the stores at the start, in the background, and every hour. Returns a function that stops the job: it waits for the
 * running statement, not for the whole round.
 */
export const startPruning = (
  stores: readonly { prune: (signal: AbortSignal) => Promise<void> }[],
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const controller = new AbortController()
  const { signal } = controller
  const pruneAll = async () => {
    for (const store of stores) if (!signal.aborted) await store.prune(signal).catch(onFailure)
  }
  let running = pruneAll()
  const timer = setInterval(() => {
    running = running.then(pruneAll)
  }, pruneIntervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    controller.abort()
    return running
  }
}
