type Ask = () => Promise<boolean>

let ask: Ask | undefined

/** May the page on screen be left? Asks when it has unsaved changes: for what leaves it otherwise than by a link. */
export const mayLeave = (): Promise<boolean> => ask?.() ?? Promise.resolve(true)

/** Whom to ask from now on. Answers how to stop being asked. */
export const askBeforeLeaving = (mine: Ask): (() => void) => {
  ask = mine
  return () => {
    if (ask === mine) ask = undefined
  }
}
