import { Suspense } from 'react'
import { lazyComponent } from '../feedback/lazy-component'
import type { RowWindow, RowWindowProps } from './row-window'

/** Longer lists render only the rows in view. List pages are shorter, so they never load that code. */
export const maxUnwindowedRows = 100

const VirtualRows = lazyComponent(() => import('./virtual-rows').then((it) => it.VirtualRows))

const firstOf = (count: number): RowWindow => ({
  at: Array.from({ length: count }, (_, at) => at),
  before: 0,
  after: 0,
})

/** Renders all rows of a short list, and the rows in view of a long one. */
export const WindowedRows = (props: RowWindowProps) => {
  const { count, draw } = props
  if (count <= maxUnwindowedRows) return draw(firstOf(count))
  return (
    <Suspense fallback={draw(firstOf(maxUnwindowedRows))}>
      <VirtualRows {...props} />
    </Suspense>
  )
}
