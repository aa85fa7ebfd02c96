/** Resolves to true if the user may leave the screen. */
type LeaveConfirmationHandler = () => Promise<boolean>

let confirmationHandler: LeaveConfirmationHandler | undefined

/**
 * May the user leave this screen? Asks for confirmation if it has unsaved changes. For navigation that the router does not
 * block: signing out and switching the provider.
 */
export const confirmLeave = (): Promise<boolean> => confirmationHandler?.() ?? Promise.resolve(true)

/** Sets the handler that `confirmLeave` calls. Returns a function that removes it. */
export const setLeaveConfirmationHandler = (handler: LeaveConfirmationHandler): (() => void) => {
  confirmationHandler = handler
  return () => {
    if (confirmationHandler === handler) confirmationHandler = undefined
  }
}
