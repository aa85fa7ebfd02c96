/** The maximum wait for the pointer. A longer press is probably not a click. */
const maxWaitMs = 500

let isPointerDown = false
const pendingResolvers = new Set<() => void>()

const onRelease = () => {
  isPointerDown = false
  // the click event follows right after pointerup
  setTimeout(() => {
    for (const resolve of pendingResolvers) resolve()
    pendingResolvers.clear()
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (isPointerDown = true), true)
  for (const type of ['pointerup', 'pointercancel', 'dragstart']) window.addEventListener(type, onRelease, true)
  // not in the capture phase: only the blur of the window itself counts, because the press also blurs a field
  window.addEventListener('blur', onRelease)
}

/**
 * While a pointer is down, resolves when it is released. The press blurs a field: if its error message appeared before
 * the release, it would move the pressed element away from the pointer, and the click would be lost.
 */
export const waitForPointerRelease = (): Promise<void> | undefined =>
  isPointerDown
    ? new Promise((resolve) => {
        pendingResolvers.add(resolve)
        setTimeout(resolve, maxWaitMs)
      })
    : undefined
