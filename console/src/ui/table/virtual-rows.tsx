import { useVirtualizer } from '@tanstack/react-virtual'
import type { RowWindowProps } from './row-window'

/** Renders the rows in view and a few around them. */
export const VirtualRows = ({ count, rowHeight, scroller, render }: RowWindowProps) => {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const last = items[items.length - 1]
  return render({
    indexes: items.map((item) => item.index),
    heightBefore: items[0]?.start ?? 0,
    heightAfter: virtualizer.getTotalSize() - (last?.end ?? 0),
    measure: virtualizer.measureElement,
  })
}
