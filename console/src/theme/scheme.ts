/** The user's choice: one scheme, or the system's. */
export type Scheme = 'light' | 'dark' | 'auto'

/**
 * The console's interface to public/boot.js, which stores the scheme and applies it before the first paint. The
 * script puts the choice on the root element and listens for an event with a new choice.
 */
export const getScheme = (): Scheme => {
  const choice = document.documentElement.dataset.schemeChoice
  return choice === 'light' || choice === 'dark' ? choice : 'auto'
}

export const setScheme = (scheme: Scheme) => {
  document.dispatchEvent(new CustomEvent('trunkline:choose-scheme', { detail: scheme }))
}

/** Calls `listener` on every change. Returns a function that unsubscribes. */
export const subscribeToScheme = (listener: () => void) => {
  document.addEventListener('trunkline:scheme', listener)
  return () => document.removeEventListener('trunkline:scheme', listener)
}
