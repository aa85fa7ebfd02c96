import { Suspense } from 'react'
import { lazyComponent } from '../feedback/lazy-component'
import type { RowWindow, RowWindowProps } from './row-window'

/** Longer lists render only the rows in view. List pages are shorter, so they never load that code. */
export const maxUnwindowedRows = 100

const VirtualRows = lazyComponent(() => import('./virtual-rows').then((module) => module.VirtualRows))

/** The window that contains the first rows of a list, or all of them. */
export const createFullWindow = (count: number): RowWindow => ({
  indexes: Array.from({ length: count }, (_, index) => index),
  heightBefore: 0,
  heightAfter: 0,
})

/** Renders all rows of a short list, and the rows in view of a long one. */
export const WindowedRows = (props: RowWindowProps) => {
  const { count, render } = props
  if (count <= maxUnwindowedRows) return render(createFullWindow(count))
  return (
    <Suspense fallback={render(createFullWindow(maxUnwindowedRows))}>
      <VirtualRows {...props} />
    </Suspense>
  )
}
