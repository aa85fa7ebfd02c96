import { useEffect, useRef, useState } from 'react'
import { useStableCallback } from '../../lib/use-stable-callback'

/** How long typing has to pause before the form is told: milliseconds. */
const pause = 200

/**
 * What is typed is told at once, or, with `late`, when the typing pauses: of a long table each change makes the form look at
 * all routes. `tell` does not wait, for who leaves the field or saves; nor does the end of the row.
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
