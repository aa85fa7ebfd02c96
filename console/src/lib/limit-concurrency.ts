/** Returns a function that runs tasks: at most `maxRunning` at a time, the others queue in order. */
export const limitConcurrency = (maxRunning: number) => {
  let running = 0
  const queue: (() => void)[] = []
  return async <Result>(run: () => Promise<Result>): Promise<Result> => {
    // a finished task passes its slot to the next one in the queue, so `running` does not change
    if (running >= maxRunning) await new Promise<void>((start) => queue.push(start))
    else running += 1
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
