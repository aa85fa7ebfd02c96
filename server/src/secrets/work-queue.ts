/** More work is waiting than the queue takes. The same request may succeed a little later. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull'
}

/** Runs tasks in the order of their arrival. */
export type WorkQueue = <Result>(task: () => Promise<Result>) => Promise<Result>

/**
 * A queue that runs at most `concurrency` tasks at once and lets at most `maxWaiting` wait. A task over that rejects
 * with QueueFull, without having run.
 */
export const workQueue = ({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): WorkQueue => {
  const waiting: (() => void)[] = []
  let running = 0

  return async (task) => {
    if (running >= concurrency) {
      if (waiting.length >= maxWaiting) throw new QueueFull('The server is busy. Try again in a few seconds.')
      // Whoever finishes hands over its place, so `running` stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await task()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
