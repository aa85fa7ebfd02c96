import { useVirtualizer } from '@tanstack/react-virtual'
import type { RowWindowProps } from './row-window'

/** Renders the rows in view and a few around them. */
export const VirtualRows = ({ count, height, scroller, draw }: RowWindowProps) => {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items[items.length - 1]
  return draw({
    at: items.map((item) => item.index),
    before: items[0]?.start ?? 0,
    after: virtual.getTotalSize() - (last?.end ?? 0),
    measure: virtual.measureElement,
  })
}
