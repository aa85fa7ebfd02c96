import { useEffect, useRef, type MouseEvent } from 'react'

/** A second click within this time is a double click, which selects a word. */
const doubleClickMs = 250

/** Clicks on these elements have their own effect. */
const interactiveElements = 'a, button, input, label, select, textarea, [role=button]'

/** Opens a row on a click anywhere in it, unless the click is part of a text selection. */
export const useRowClick = (onPress: () => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onClick: ({ target, detail }: MouseEvent) => {
      clearTimeout(timer.current)
      if (detail > 1 || (target as Element).closest(interactiveElements)) return
      timer.current = setTimeout(() => {
        if (window.getSelection()?.isCollapsed !== false) onPress()
      }, doubleClickMs)
    },
  }
}
