/** The user's choice: one scheme, or the system's. */
export type Scheme = 'light' | 'dark' | 'auto'

/**
 * The console's interface to public/scheme.js, which stores and applies the scheme from before the first paint. The
 * script puts the choice on the root element and listens for an event with a new choice.
 */
export const getScheme = (): Scheme => {
  const choice = document.documentElement.dataset.schemeChoice
  return choice === 'light' || choice === 'dark' ? choice : 'auto'
}

export const setScheme = (scheme: Scheme) => {
  document.dispatchEvent(new CustomEvent('trunkline:choose-scheme', { detail: scheme }))
}

/** Calls `tell` on every change. Returns a function that stops it. */
export const subscribeToScheme = (tell: () => void) => {
  document.addEventListener('trunkline:scheme', tell)
  return () => document.removeEventListener('trunkline:scheme', tell)
}
