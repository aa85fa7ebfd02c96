import { useLayoutEffect, type RefObject } from 'react'

const gapPx = 4
const windowMarginPx = 8
const maxHeightPx = 340
const maxWidthPx = 320

/** Places a popup below its button, or above it if there is more space, within the window. */
const placePopup = (button: HTMLElement, popup: HTMLElement) => {
  const anchor = button.getBoundingClientRect()
  const spaceBelow = window.innerHeight - anchor.bottom - gapPx - windowMarginPx
  const spaceAbove = anchor.top - gapPx - windowMarginPx
  const opensUp = spaceBelow < Math.min(popup.scrollHeight, maxHeightPx) && spaceAbove > spaceBelow
  popup.style.maxHeight = `${Math.min(maxHeightPx, opensUp ? spaceAbove : spaceBelow)}px`
  popup.style.minWidth = `${Math.max(anchor.width, 140)}px`
  popup.style.maxWidth = `${Math.max(anchor.width, Math.min(maxWidthPx, window.innerWidth - 2 * windowMarginPx))}px`
  const maxLeft = window.innerWidth - popup.offsetWidth - windowMarginPx
  popup.style.left = `${Math.max(windowMarginPx, Math.min(anchor.left, maxLeft))}px`
  popup.style.top = opensUp ? 'auto' : `${anchor.bottom + gapPx}px`
  popup.style.bottom = opensUp ? `${window.innerHeight - anchor.top + gapPx}px` : 'auto'
}

/**
 * Moves the popup to the top layer, where no dialog or scroll container clips it. In browsers without popovers the
 * style sheet positions it as fixed.
 */
const showInTopLayer = (popup: HTMLElement | null) => {
  if (!popup || !('showPopover' in popup)) return
  popup.popover = 'manual'
  popup.showPopover()
}

/** Shows an open popup in the top layer, and keeps it at its button while the page scrolls. */
export const usePopupPosition = (
  isOpen: boolean,
  button: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
) => {
  useLayoutEffect(() => {
    if (!isOpen) return
    const update = () => {
      if (button.current && popup.current) placePopup(button.current, popup.current)
    }
    showInTopLayer(popup.current)
    popup.current?.querySelector('input')?.focus()
    update()
    window.addEventListener('resize', update)
    window.addEventListener('scroll', update, true)
    return () => {
      window.removeEventListener('resize', update)
      window.removeEventListener('scroll', update, true)
    }
  }, [isOpen, button, popup])
}
