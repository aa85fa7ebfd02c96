type Ask = () => Promise<boolean>

let ask: Ask | undefined

/** May the user leave this page? Asks for confirmation if it has unsaved changes. For navigation without a link. */
export const confirmLeave = (): Promise<boolean> => ask?.() ?? Promise.resolve(true)

/** Registers the function that asks for confirmation. Returns a function that unregisters it. */
export const registerLeaveConfirmation = (mine: Ask): (() => void) => {
  ask = mine
  return () => {
    if (ask === mine) ask = undefined
  }
}
