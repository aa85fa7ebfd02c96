/**
 * Returns a function that runs `call`, but at most once at a time: callers that arrive while it runs share the next run.
 * So each caller gets a result that was determined after its call.
 */
export const coalesceCalls = <T>(call: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined

  const start = (): Promise<T> => {
    const run = call().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
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
