import { Suspense } from 'react'
import { late } from './late'
import type { ManyRowsProps } from './many-rows'

export interface RowWindow {
  /** Positions to draw. */
  at: number[]
  /** Empty height before and after them. */
  before: number
  after: number
  measure?: (node: Element | null) => void
}

/** From here on only the rows in view are drawn. A page of a list is shorter, so it never asks for the code. */
export const many = 100

const ManyRows = late(() => import('./many-rows').then((it) => it.ManyRows))

const firstOf = (count: number): RowWindow => ({
  at: Array.from({ length: count }, (_, at) => at),
  before: 0,
  after: 0,
})

/** Draws all rows while they are few, and those in view when they are many. */
export const Rows = (props: ManyRowsProps) => {
  const { count, draw } = props
  if (count <= many) return draw(firstOf(count))
  return (
    <Suspense fallback={draw(firstOf(many))}>
      <ManyRows {...props} />
    </Suspense>
  )
}
