import type { TaskObserver } from './repeat'

const retryDelayMs = 60_000

/** Runs a store's backfill of older records in the background, and retries it after a failure. Returns a function that stops it. */
export const startBackfill = (
  store: { backfill: (signal: AbortSignal) => Promise<void> },
  { onFailure, runTask }: TaskObserver,
): (() => Promise<void>) => {
  const controller = new AbortController()
  const { signal } = controller
  let timer: NodeJS.Timeout | undefined
  const attempt = (): Promise<void> =>
    runTask(() => store.backfill(signal)).catch((error: unknown) => {
      onFailure(error)
      if (!signal.aborted) timer = setTimeout(() => void (running = attempt()), retryDelayMs).unref()
    })
  let running = attempt()
  return () => {
    controller.abort()
    clearTimeout(timer)
    return running
  }
}
