/** Runs at most so many things at a time; the others wait for their turn, in the order in which they came. */
export const few = (most: number) => {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Answer>(run: () => Promise<Answer>): Promise<Answer> => {
    // whoever ends hands its place on, so the number stays
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
