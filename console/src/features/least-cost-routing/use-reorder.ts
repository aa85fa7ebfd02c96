import { messages } from '@trunkline/contract/messages/lcr'
import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { scrollerOf, targetAt } from './drag-position'

/** A row that is being moved: its original index and its current drop index. */
export interface Lift {
  key: string
  from: number
  to: number
  by: 'pointer' | 'keys'
}

const page = 10

/** Returns the new index of a lifted row after a key press. */
const stepOf = (key: string, { to }: Lift, last: number): number | undefined => {
  const steps: Record<string, number> = {
    ArrowUp: to - 1,
    ArrowDown: to + 1,
    PageUp: to - page,
    PageDown: to + page,
    Home: 0,
    End: last,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.max(0, Math.min(last, next))
}

const isPress = (key: string) => key === ' ' || key === 'Enter'

/** The distance in pixels from the scrolling edge at which dragging scrolls, and the speed in pixels per frame. */
const edge = 48
const speed = 12

interface Reordering {
  /** The element that contains the rows, each with `data-index`. */
  list: RefObject<HTMLElement | null>
  count: number
  /** Called when a row is dropped at another index. */
  onMove: (from: number, to: number) => void
  /** Announces a text to screen readers. */
  say: (words: string) => void
}

/** Moves a row by its drag handle, with the pointer or the keyboard. Nothing changes before the drop. */
export const useReorder = ({ list, count, onMove, say }: Reordering) => {
  const [lift, setLift] = useState<Lift>()
  /** The current value, because the pointer may be released before the last state is rendered. */
  const held = useRef<Lift>(undefined)
  const hold = (next: Lift | undefined) => {
    held.current = next
    setLift(next)
  }

  const drop = (at: Lift) => {
    hold(undefined)
    say(messages.order.dropped(at.to + 1, count))
    if (at.to !== at.from) onMove(at.from, at.to)
  }
  const cancel = (at: Lift) => {
    hold(undefined)
    say(messages.order.cancelled(at.from + 1))
  }

  useEffect(() => {
    if (lift?.by !== 'pointer') return
    let y: number | undefined
    let frame = 0
    const look = () => {
      const now = held.current
      if (y === undefined || !list.current || !now) return
      const to = targetAt(list.current, y, now.to)
      if (to !== undefined && to !== now.to) hold({ ...now, to })
    }
    const scroll = () => {
      const scroller = scrollerOf(list.current)
      if (scroller && y !== undefined) {
        const { top, bottom } = scroller.getBoundingClientRect()
        const by = y < top + edge ? -speed : y > bottom - edge ? speed : 0
        const before = scroller.scrollTop
        scroller.scrollTop += by
        if (scroller.scrollTop !== before) look()
      }
      frame = requestAnimationFrame(scroll)
    }
    const onPointerMove = (event: globalThis.PointerEvent) => {
      y = event.clientY
      look()
    }
    const onUp = () => drop(held.current ?? lift)
    const onCancel = () => cancel(held.current ?? lift)
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.key === 'Escape') onCancel()
    }
    frame = requestAnimationFrame(scroll)
    window.addEventListener('pointermove', onPointerMove)
    window.addEventListener('pointerup', onUp)
    window.addEventListener('pointercancel', onCancel)
    window.addEventListener('keydown', onKey)
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', onPointerMove)
      window.removeEventListener('pointerup', onUp)
      window.removeEventListener('pointercancel', onCancel)
      window.removeEventListener('keydown', onKey)
    }
  })

  const onGripDown = (event: PointerEvent, key: string, at: number) => {
    if (event.button === 0) hold({ key, from: at, to: at, by: 'pointer' })
  }

  const onGripKey = (event: KeyboardEvent, key: string, at: number) => {
    const now = held.current
    if (!now) {
      if (!isPress(event.key)) return
      event.preventDefault()
      hold({ key, from: at, to: at, by: 'keys' })
      say(messages.order.lifted(at + 1, count))
      return
    }
    if (event.key === 'Tab') return drop(now)
    const to = stepOf(event.key, now, count - 1)
    if (to === undefined && !isPress(event.key) && event.key !== 'Escape') return
    event.preventDefault()
    if (to === undefined) return event.key === 'Escape' ? cancel(now) : drop(now)
    hold({ ...now, to })
    say(messages.order.moved(to + 1, count))
  }

  return { lift, onGripDown, onGripKey }
}
