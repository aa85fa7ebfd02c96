/** The longest that anybody waits for a pointer: who holds it longer presses nothing. Milliseconds. */
const longest = 500

let down = false
const waiting = new Set<() => void>()

const free = () => {
  down = false
  // the click comes right after the pointer is up
  setTimeout(() => {
    for (const go of waiting) go()
    waiting.clear()
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', () => (down = true), true)
  for (const end of ['pointerup', 'pointercancel', 'dragstart']) window.addEventListener(end, free, true)
  // of the window itself: fields are left by the very press that is waited for
  window.addEventListener('blur', free)
}

/**
 * While a pointer is down: comes when it is up again. A message that appears in between, because its field was left by that
 * very press, would move what is being pressed from under the pointer, and the click would be lost.
 */
export const pointerHeld = (): Promise<void> | undefined =>
  down
    ? new Promise((go) => {
        waiting.add(go)
        setTimeout(go, longest)
      })
    : undefined
