/** The queue has no room. The same request may succeed a little later. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** Runs tasks in the order of submission. */
export interface WorkQueue {
  <Result>(task: () => Promise<Result>): Promise<Result>
  /** The number of tasks that wait. */
  countWaiting: () => number
}

/**
 * A queue that runs at most `concurrency` tasks at a time and holds at most `maxWaiting` more. Above that, tasks are not run
 * and reject with QueueFullError.
 */
export const createWorkQueue = ({
  concurrency,
  maxWaiting,
}: {
  concurrency: number
  maxWaiting: number
}): WorkQueue => {
  const waitingTasks: (() => void)[] = []
  let runningCount = 0

  const run = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (runningCount >= concurrency) {
      if (waitingTasks.length >= maxWaiting) throw new QueueFullError('The server is busy. Try again in a few seconds.')
      // A finished task hands over its slot, so `runningCount` does not change.
      await new Promise<void>((resolve) => waitingTasks.push(resolve))
    } else runningCount += 1
    try {
      return await task()
    } finally {
      const next = waitingTasks.shift()
      if (next) next()
      else runningCount -= 1
    }
  }
  return Object.assign(run, { countWaiting: () => waitingTasks.length })
}
