/**
 * Returns a function that calls `run`, but at most once at a time: requests that arrive while it runs share the next run. So each
 * gets a result that was determined after it arrived.
 */
export const shareRuns = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  const start = (): Promise<T> => {
    const current = run().finally(() => {
      if (running === current) running = undefined
    })
    running = current
    return current
  }

  return () => {
    if (!running) return start()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return start()
      })
    return next
  }
}
