import { messages } from '@trunkline/contract/messages/lcr-route'
import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { usePointerDrag } from './use-pointer-drag'

/** A row that is being moved: its original index and its current drop index. */
export interface RowMove {
  key: string
  from: number
  to: number
  device: 'pointer' | 'keyboard'
}

/** The number of rows that Page Up and Page Down skip. */
const pageSize = 10

/** Returns the new drop index after a key press; undefined if the key does not move the row. */
const findNextIndex = (key: string, { to }: RowMove, lastIndex: number): number | undefined => {
  const steps: Record<string, number> = {
    ArrowUp: to - 1,
    ArrowDown: to + 1,
    PageUp: to - pageSize,
    PageDown: to + pageSize,
    Home: 0,
    End: lastIndex,
  }
  const index = steps[key]
  return index === undefined ? undefined : Math.max(0, Math.min(lastIndex, index))
}

const isPickUpOrDropKey = (key: string) => key === ' ' || key === 'Enter'

const findRows = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-index]')]

/**
 * Returns the drop index of a dragged row for a vertical pointer position. `currentIndex`: its drop index so far. Rows
 * swap once the pointer passes the middle of the neighbour, so rows of different heights do not flicker.
 */
const findDropIndex = (list: HTMLElement, pointerY: number, currentIndex: number): number | undefined => {
  const rows = findRows(list)
  const hoveredRow = rows.find((row) => pointerY < row.getBoundingClientRect().bottom) ?? rows.at(-1)
  if (!hoveredRow) return undefined
  const hoveredIndex = Number(hoveredRow.dataset.index)
  const { top, height } = hoveredRow.getBoundingClientRect()
  const isPastMiddle = pointerY > top + height / 2
  if (hoveredIndex > currentIndex) return isPastMiddle ? hoveredIndex : hoveredIndex - 1
  return hoveredIndex < currentIndex && isPastMiddle ? hoveredIndex + 1 : hoveredIndex
}

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
  const [rowMove, setRowMove] = useState<RowMove>()
  /** The latest value. The pointer may be released before the latest state is rendered. */
  const currentMove = useRef<RowMove>(undefined)
  const changeMove = (nextMove: RowMove | undefined) => {
    currentMove.current = nextMove
    setRowMove(nextMove)
  }

  const drop = (move: RowMove) => {
    changeMove(undefined)
    announce(messages.order.dropped(move.to + 1, count))
    if (move.to !== move.from) onMove(move.from, move.to)
  }
  const cancel = (move: RowMove) => {
    changeMove(undefined)
    announce(messages.order.cancelled(move.from + 1))
  }

  usePointerDrag({
    isDragging: rowMove?.device === 'pointer',
    list,
    onHover: (pointerY) => {
      const move = currentMove.current
      if (!list.current || !move) return
      const to = findDropIndex(list.current, pointerY, move.to)
      if (to !== undefined && to !== move.to) changeMove({ ...move, to })
    },
    onDrop: () => (currentMove.current ? drop(currentMove.current) : undefined),
    onCancel: () => (currentMove.current ? cancel(currentMove.current) : undefined),
  })

  const onHandlePointerDown = (event: PointerEvent, key: string, index: number) => {
    if (event.button === 0) changeMove({ key, from: index, to: index, device: 'pointer' })
  }

  const onHandleKeyDown = (event: KeyboardEvent, key: string, index: number) => {
    const move = currentMove.current
    if (!move) {
      if (!isPickUpOrDropKey(event.key)) return
      event.preventDefault()
      changeMove({ key, from: index, to: index, device: 'keyboard' })
      announce(messages.order.pickedUp(index + 1, count))
      return
    }
    if (event.key === 'Tab') return drop(move)
    const to = findNextIndex(event.key, move, count - 1)
    if (to === undefined && !isPickUpOrDropKey(event.key) && event.key !== 'Escape') return
    event.preventDefault()
    if (to === undefined) return event.key === 'Escape' ? cancel(move) : drop(move)
    changeMove({ ...move, to })
    announce(messages.order.moved(to + 1, count))
  }

  return { rowMove, onHandlePointerDown, onHandleKeyDown }
}
