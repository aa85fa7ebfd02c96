import { useLayoutEffect, type RefObject } from 'react'

/**
 * Keeps the inner width of a list in the CSS variable `--list-width`. In Chromium, `100cqw` of a scrolling element
 * includes its vertical scrollbar, so that a table of this width would also scroll sideways.
 */
export const useListWidth = (list: RefObject<HTMLElement | null>) => {
  useLayoutEffect(() => {
    const element = list.current
    if (!element || typeof ResizeObserver === 'undefined') return undefined
    // sets the variable directly, because a state change would draw one frame with the old width
    const update = () => element.style.setProperty('--list-width', `${element.clientWidth}px`)
    update()
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => observer.disconnect()
  }, [list])
}
