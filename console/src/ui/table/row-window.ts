import type { ReactNode, RefObject } from 'react'

/** The rows to render. */
export interface RowWindow {
  /** Indexes of the rows to render. */
  at: number[]
  /** Heights in pixels of the space above and below them. */
  before: number
  after: number
  measure?: (node: Element | null) => void
}

export interface RowWindowProps {
  count: number
  /** Estimated height of a row in pixels, used until it is measured. */
  height: number
  scroller: RefObject<HTMLElement | null>
  draw: (rowWindow: RowWindow) => ReactNode
}
