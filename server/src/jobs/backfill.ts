/** Milliseconds until what failed is tried again. */
const pause = 60_000

/** Lets a store catch up what an older version left to do, beside the server's work. Returns how to stop. */
export const catchingUp = (
  store: { backfill: (stopped: AbortSignal) => Promise<void> },
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const stopping = new AbortController()
  const { signal } = stopping
  let timer: NodeJS.Timeout | undefined
  const attempt = (): Promise<void> =>
    store.backfill(signal).catch((error: unknown) => {
      onFailure(error)
      if (!signal.aborted) timer = setTimeout(() => void (running = attempt()), pause).unref()
    })
  let running = attempt()
  return () => {
    stopping.abort()
    clearTimeout(timer)
    return running
  }
}
