/** Limits concurrency: runs at most `most` functions at a time and queues the rest in order. */
export const limitConcurrency = (most: number) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    // a finished run passes its slot to the next in the queue, so `running` does not change
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
