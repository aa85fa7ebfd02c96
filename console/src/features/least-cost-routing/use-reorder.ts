import { messages } from '@trunkline/contract/messages/lcr'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { findScrollContainer, dropIndex } from './drag-position'

/** A row that is being moved: its original index and its current drop index. */
export interface Lift {
  key: string
  from: number
  to: number
  input: 'pointer' | 'keys'
}

const pageStep = 10

/** Returns the new index of a lifted row after a key press. */
const nextIndex = (key: string, { to }: Lift, lastIndex: number): number | undefined => {
  const steps: Record<string, number> = {
    ArrowUp: to - 1,
    ArrowDown: to + 1,
    PageUp: to - pageStep,
    PageDown: to + pageStep,
    Home: 0,
    End: lastIndex,
  }
  const index = steps[key]
  return index === undefined ? undefined : Math.max(0, Math.min(lastIndex, index))
}

const isGrabOrDropKey = (key: string) => key === ' ' || key === 'Enter'

/** The distance in pixels from the scrolling edge at which dragging scrolls, and the speed in pixels per frame. */
const edgePx = 48
const scrollPxPerFrame = 12

interface ReorderOptions {
  /** The element that contains the rows, each with `data-index`. */
  list: RefObject<HTMLElement | null>
  count: number
  /** Called when a row is dropped at another index. */
  onMove: (from: number, to: number) => void
  /** Announces a text to screen readers. */
  announce: (text: string) => void
}

/** Moves a row by its drag handle, with the pointer or the keyboard. Nothing changes before the drop. */
export const useReorder = ({ list, count, onMove, announce }: ReorderOptions) => {
  const [lift, setLift] = useState<Lift>()
  /** The current value, because the pointer may be released before the last state is rendered. */
  const currentLift = useRef<Lift>(undefined)
  const changeLift = (nextLift: Lift | undefined) => {
    currentLift.current = nextLift
    setLift(nextLift)
  }

  const drop = (dropped: Lift) => {
    changeLift(undefined)
    announce(messages.order.dropped(dropped.to + 1, count))
    if (dropped.to !== dropped.from) onMove(dropped.from, dropped.to)
  }
  const cancel = (cancelled: Lift) => {
    changeLift(undefined)
    announce(messages.order.cancelled(cancelled.from + 1))
  }

  useEffect(() => {
    if (lift?.input !== 'pointer') return
    let y: number | undefined
    let frame = 0
    const updateTarget = () => {
      const current = currentLift.current
      if (y === undefined || !list.current || !current) return
      const to = dropIndex(list.current, y, current.to)
      if (to !== undefined && to !== current.to) changeLift({ ...current, to })
    }
    const scroll = () => {
      const scroller = findScrollContainer(list.current)
      if (scroller && y !== undefined) {
        const { top, bottom } = scroller.getBoundingClientRect()
        const distance = y < top + edgePx ? -scrollPxPerFrame : y > bottom - edgePx ? scrollPxPerFrame : 0
        const scrollTopBefore = scroller.scrollTop
        scroller.scrollTop += distance
        if (scroller.scrollTop !== scrollTopBefore) updateTarget()
      }
      frame = requestAnimationFrame(scroll)
    }
    const onPointerMove = (event: globalThis.PointerEvent) => {
      y = event.clientY
      updateTarget()
    }
    const onPointerUp = () => drop(currentLift.current ?? lift)
    const onCancel = () => cancel(currentLift.current ?? lift)
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') onCancel()
    }
    frame = requestAnimationFrame(scroll)
    window.addEventListener('pointermove', onPointerMove)
    window.addEventListener('pointerup', onPointerUp)
    window.addEventListener('pointercancel', onCancel)
    window.addEventListener('keydown', onKeyDown)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', onPointerMove)
      window.removeEventListener('pointerup', onPointerUp)
      window.removeEventListener('pointercancel', onCancel)
      window.removeEventListener('keydown', onKeyDown)
    }
  })

  const onGripDown = (event: PointerEvent, key: string, index: number) => {
    if (event.button === 0) changeLift({ key, from: index, to: index, input: 'pointer' })
  }

  const onGripKey = (event: KeyboardEvent, key: string, index: number) => {
    const current = currentLift.current
    if (!current) {
      if (!isGrabOrDropKey(event.key)) return
      event.preventDefault()
      changeLift({ key, from: index, to: index, input: 'keys' })
      announce(messages.order.pickedUp(index + 1, count))
      return
    }
    if (event.key === 'Tab') return drop(current)
    const to = nextIndex(event.key, current, count - 1)
    if (to === undefined && !isGrabOrDropKey(event.key) && event.key !== 'Escape') return
    event.preventDefault()
    if (to === undefined) return event.key === 'Escape' ? cancel(current) : drop(current)
    changeLift({ ...current, to })
    announce(messages.order.moved(to + 1, count))
  }

  return { lift, onGripDown, onGripKey }
}
