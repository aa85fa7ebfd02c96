import { useEffect, useRef, useState } from 'react'
import { useStableCallback } from '../../lib/use-stable-callback'

/** The pause in typing, in milliseconds, after which the form is updated. */
const debounceMs = 200

/**
 * Updates the form at each keystroke or, with `isDebounced`, after a pause: each change validates all routes, which is
 * slow in a long list. `flush` updates the form at once, before the field loses the focus or the form is saved. Unmounting
 * flushes too.
 */
export const useTextDraft = (value: string, isDebounced: boolean, onChange: (nextText: string) => void) => {
  const [text, setText] = useState(value)
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    setLastValue(value)
    setText(value)
  }
  const pendingText = useRef<string>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useStableCallback(() => {
    clearTimeout(timer.current)
    const nextText = pendingText.current
    pendingText.current = undefined
    if (nextText !== undefined) onChange(nextText)
  })
  useEffect(() => flush, [flush])
  const setDraft = (nextText: string) => {
    setText(nextText)
    pendingText.current = nextText
    clearTimeout(timer.current)
    if (isDebounced) timer.current = setTimeout(flush, debounceMs)
    else flush()
  }
  return { text, setDraft, flush }
}
