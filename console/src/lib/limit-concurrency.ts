/** Returns a function that runs tasks: at most `maxRunning` at a time, the others queue in order. */
export const limitConcurrency = (maxRunning: number) => {
  let runningCount = 0
  const queue: (() => void)[] = []
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    // a finished task passes its slot to the next one in the queue, so `running` does not change
    if (runningCount >= maxRunning) await new Promise<void>((start) => queue.push(start))
    else runningCount += 1
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else runningCount -= 1
    }
  }
}
