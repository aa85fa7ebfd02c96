import { useEffect, useRef, type MouseEvent } from 'react'

/** A second click within this time makes a double click, which selects a word. */
const doubleClickMs = 250

/** Clicks on these have an effect of their own. */
const interactive = 'a, button, input, label, select, textarea, [role=button]'

/** Opens a row with a click anywhere on it, but not when the click is part of selecting text. */
export const useRowClick = (onPress: () => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onClick: ({ target, detail }: MouseEvent) => {
      clearTimeout(timer.current)
      if (detail > 1 || (target as Element).closest(interactive)) return
      timer.current = setTimeout(() => {
        if (window.getSelection()?.isCollapsed !== false) onPress()
      }, doubleClickMs)
    },
  }
}
