/** A task of a background job. It may stop early when the signal is aborted. */
export type Task = (signal: AbortSignal) => Promise<void>

/** Observes the tasks of a job. */
export interface TaskObserver {
  /** Receives the error of a failed task. The other tasks run, and the failed one runs again in the next round. */
  onFailure: (error: unknown) => void
  /** Runs a task, for example in a span. */
  runTask: (task: () => Promise<void>) => Promise<void>
}

interface RepeatOptions extends TaskObserver {
  intervalMs: number
}

/**
 * Runs the tasks one after the other: at once, in the background, and then at every interval. Returns a function that stops
 * the job: it waits for the running task, not for the complete round.
 */
export const startRepeating = (
  tasks: readonly Task[],
  { intervalMs, onFailure, runTask }: RepeatOptions,
): (() => Promise<void>) => {
  const controller = new AbortController()
  const { signal } = controller
  const runAll = async () => {
    for (const task of tasks) if (!signal.aborted) await runTask(() => task(signal)).catch(onFailure)
  }
  let running = runAll()
  const timer = setInterval(() => {
    running = running.then(runAll)
  }, intervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    controller.abort()
    return running
  }
}
