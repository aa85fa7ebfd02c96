import { useEffect, useRef, useState } from 'react'
import { useStableCallback } from '../../lib/use-stable-callback'

/** The pause in typing, in milliseconds, after which the form is updated. */
const pause = 200

/**
 * Updates the form at each keystroke or, with `late`, after a pause: each change validates all routes, which is slow in
 * a long list. `tell` updates at once, for leaving the field or saving; so does unmounting.
 */
export const useTyped = (value: string, late: boolean, onTyped: (next: string) => void) => {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  const untold = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useStableCallback(() => {
    clearTimeout(timer.current)
    const next = untold.current
    untold.current = undefined
    if (next !== undefined) onTyped(next)
  })
  useEffect(() => tell, [tell])
  const type = (next: string) => {
    setText(next)
    untold.current = next
    clearTimeout(timer.current)
    if (late) timer.current = setTimeout(tell, pause)
    else tell()
  }
  return { text, type, tell }
}
