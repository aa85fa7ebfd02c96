import { useVirtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

/** From here on only the rows in view are rendered. */
const many = 100

export interface Window {
  /** Positions to render. */
  at: number[]
  /** Empty height before and after them. */
  before: number
  after: number
  measure: ((node: Element | null) => void) | undefined
}

/** Which of the rows to render; all of them while they are few. */
export const useRowWindow = (count: number, height: number, scroller: RefObject<HTMLElement | null>): Window => {
  const active = count > many
  const virtual = useVirtualizer({
    count: active ? count : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  })
  if (!active) return { at: Array.from({ length: count }, (_, at) => at), before: 0, after: 0, measure: undefined }
  const items = virtual.getVirtualItems()
  const last = items[items.length - 1]
  return {
    at: items.map((item) => item.index),
    before: items[0]?.start ?? 0,
    after: last ? virtual.getTotalSize() - last.end : virtual.getTotalSize(),
    measure: virtual.measureElement,
  }
}
