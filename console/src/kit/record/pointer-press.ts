/** The maximum wait for the pointer, in milliseconds. A longer press is probably not a click. */
const longest = 500

let down = false
const waiting = new Set<() => void>()

const free = () => {
  down = false
  // the click event follows right after pointerup
  setTimeout(() => {
    for (const go of waiting) go()
    waiting.clear()
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (down = true), true)
  for (const end of ['pointerup', 'pointercancel', 'dragstart']) window.addEventListener(end, free, true)
  // not in the capture phase: only the blur of the window itself counts, because the press also blurs a field
  window.addEventListener('blur', free)
}

/**
 * While a pointer is down, resolves when it is released. The press blurs a field: if its error message appeared before
 * the release, it would move the pressed element away from the pointer, and the click would be lost.
 */
export const waitForPointerRelease = (): Promise<void> | undefined =>
  down
    ? new Promise((go) => {
        waiting.add(go)
        setTimeout(go, longest)
      })
    : undefined
