/** Milliseconds between two rounds. */
const hour = 3_600_000

/** Lets stores forget what is older than it is to be kept: at the start and every hour. Returns how to stop. */
export const pruning = (
  stores: readonly { prune: () => Promise<void> }[],
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const round = async () => {
    for (const store of stores) await store.prune().catch(onFailure)
  }
  let running = round()
  const timer = setInterval(() => {
    running = running.then(round)
  }, hour)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
