/** Counts the turns of the event loop until the work is finished. */
export const countTurnsDuring = async (work: Promise<unknown>): Promise<number> => {
  let turnCount = 0
  let isRunning = true
  const countTurn = () => {
    turnCount += 1
    if (isRunning) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  await work
  isRunning = false
  return turnCount
}
