/** Milliseconds until what failed is tried again. */
const retryMs = 60_000

/** Lets a store catch up what an older version left to do, beside the server's work. Returns how to stop. */
export const startBackfill = (
  store: { backfill: (stopped: AbortSignal) => Promise<void> },
  onFailure: (error: unknown) => void,
): (() => Promise<void>) => {
  const controller = new AbortController()
  const { signal } = controller
  let timer: NodeJS.Timeout | undefined
  const attempt = (): Promise<void> =>
    store.backfill(signal).catch((error: unknown) => {
      onFailure(error)
      if (!signal.aborted) timer = setTimeout(() => void (running = attempt()), retryMs).unref()
    })
  let running = attempt()
  return () => {
    controller.abort()
    clearTimeout(timer)
    return running
  }
}
