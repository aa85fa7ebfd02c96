import { useLayoutEffect, type RefObject } from 'react'

const gap = 4
const edge = 8
const tallest = 340

/** Where a panel goes: below its button, or above where there is more room, and never over the window's edge. */
const place = (button: HTMLElement, panel: HTMLElement) => {
  const at = button.getBoundingClientRect()
  const below = window.innerHeight - at.bottom - gap - edge
  const above = at.top - gap - edge
  const up = below < Math.min(panel.scrollHeight, tallest) && above > below
  panel.style.maxHeight = `${Math.min(tallest, up ? above : below)}px`
  panel.style.minWidth = `${Math.max(at.width, 140)}px`
  panel.style.left = `${Math.max(edge, Math.min(at.left, window.innerWidth - panel.offsetWidth - edge))}px`
  panel.style.top = up ? 'auto' : `${at.bottom + gap}px`
  panel.style.bottom = up ? `${window.innerHeight - at.top + gap}px` : 'auto'
}

/** Keeps an open panel at its button, whatever scrolls. */
export const usePlace = (
  open: boolean,
  button: RefObject<HTMLElement | null>,
  panel: RefObject<HTMLElement | null>,
) => {
  useLayoutEffect(() => {
    if (!open) return
    const again = () => {
      if (button.current && panel.current) place(button.current, panel.current)
    }
    again()
    window.addEventListener('resize', again)
    window.addEventListener('scroll', again, true)
    return () => {
      window.removeEventListener('resize', again)
      window.removeEventListener('scroll', again, true)
    }
  }, [open, button, panel])
}
