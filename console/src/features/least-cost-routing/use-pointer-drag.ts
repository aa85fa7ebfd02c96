import { useEffect, type RefObject } from 'react'
import { useStableCallback } from '../../lib/use-stable-callback'

/** The distance from the edge of the list at which dragging scrolls it. */
const edgePx = 48
const scrollPxPerFrame = 12

/** Returns the element or its nearest ancestor, whichever scrolls; undefined if none does. */
const findScrollContainer = (element: HTMLElement | null): HTMLElement | undefined => {
  for (let ancestor = element; ancestor; ancestor = ancestor.parentElement)
    if (ancestor.scrollHeight > ancestor.clientHeight && /auto|scroll/.test(getComputedStyle(ancestor).overflowY))
      return ancestor
  return undefined
}

const getScrollStep = (pointerY: number, { top, bottom }: DOMRect): number => {
  if (pointerY < top + edgePx) return -scrollPxPerFrame
  return pointerY > bottom - edgePx ? scrollPxPerFrame : 0
}

interface PointerDragOptions {
  isDragging: boolean
  list: RefObject<HTMLElement | null>
  /** Called when the pointer moves, or the list scrolls below it. */
  onHover: (pointerY: number) => void
  onDrop: () => void
  onCancel: () => void
}

/** Follows the pointer while a row is dragged, and scrolls the list when the pointer is near its edge. */
export const usePointerDrag = ({ isDragging, list, ...handlers }: PointerDragOptions) => {
  const onHover = useStableCallback(handlers.onHover)
  const onDrop = useStableCallback(handlers.onDrop)
  const onCancel = useStableCallback(handlers.onCancel)

  useEffect(() => {
    if (!isDragging) return
    let pointerY: number | undefined
    let frame = 0
    const scrollAtEdge = () => {
      const container = findScrollContainer(list.current)
      if (container && pointerY !== undefined) {
        const scrollTopBefore = container.scrollTop
        container.scrollTop += getScrollStep(pointerY, container.getBoundingClientRect())
        if (container.scrollTop !== scrollTopBefore) onHover(pointerY)
      }
      frame = requestAnimationFrame(scrollAtEdge)
    }
    const onPointerMove = (event: PointerEvent) => {
      pointerY = event.clientY
      onHover(pointerY)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onCancel()
    }
    frame = requestAnimationFrame(scrollAtEdge)
    window.addEventListener('pointermove', onPointerMove)
    window.addEventListener('pointerup', onDrop)
    window.addEventListener('pointercancel', onCancel)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', onPointerMove)
      window.removeEventListener('pointerup', onDrop)
      window.removeEventListener('pointercancel', onCancel)
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [isDragging, list, onHover, onDrop, onCancel])
}
