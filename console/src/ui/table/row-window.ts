import type { ReactNode, RefObject } from 'react'

/** The rows to render. */
export interface RowWindow {
  /** Indexes of the rows to render. */
  indexes: number[]
  /** Heights in pixels of the space above and below them. */
  heightBefore: number
  heightAfter: number
  /** The ref of a row whose height is measured. Absent while all rows are rendered. */
  measure?: (node: Element | null) => void
}

export interface RowWindowProps {
  count: number
  /** Estimated height of a row in pixels, used until it is measured. */
  rowHeight: number
  scroller: RefObject<HTMLElement | null>
  render: (rowWindow: RowWindow) => ReactNode
}
