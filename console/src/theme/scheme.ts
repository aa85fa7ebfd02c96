/** What the user chose: a scheme, or whatever the system says. */
export type Scheme = 'light' | 'dark' | 'auto'

/**
 * The scheme is kept and applied by public/scheme.js, which runs before the first paint and stays. This is its other
 * end: what was chosen stands on the root element, and a new choice is told by an event.
 */
export const schemeNow = (): Scheme => {
  const choice = document.documentElement.dataset.schemeChoice
  return choice === 'light' || choice === 'dark' ? choice : 'auto'
}

export const chooseScheme = (scheme: Scheme) => {
  document.dispatchEvent(new CustomEvent('trunkline:choose-scheme', { detail: scheme }))
}

/** Tells of every change; answers how to stop. */
export const watchScheme = (tell: () => void) => {
  document.addEventListener('trunkline:scheme', tell)
  return () => document.removeEventListener('trunkline:scheme', tell)
}
