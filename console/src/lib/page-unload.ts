let isUnloading = false

/**
 * True while the page unloads. The browser then aborts pending requests, which does not mean that the server is
 * unreachable.
 */
export const isPageUnloading = () => isUnloading

window.addEventListener('pagehide', () => {
  isUnloading = true
})
// the browser may restore the page from its back/forward cache
window.addEventListener('pageshow', () => {
  isUnloading = false
})
