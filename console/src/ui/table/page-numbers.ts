export type PagerItem = number | 'gap-before' | 'gap-after'

/** Number of pages on each side of the current one. */
const neighbourCount = 1
const minVisible = 4

/** Returns the number of pages; an empty list has one. */
export const countPages = (total: number, pageSize: number) => Math.max(1, Math.ceil(total / pageSize))

/**
 * Returns the pages that the pager offers: the first, the last, the current one with a neighbour on each side, and at
 * least four in a row if there are enough. A gap replaces the others and skips several pages.
 */
export const getVisiblePages = (page: number, pageCount: number): PagerItem[] => {
  let from = Math.max(1, page - neighbourCount)
  let to = Math.min(pageCount, page + neighbourCount)
  // near an end, extend the row inwards, so that its length stays constant
  if (from <= 2) {
    from = 1
    to = Math.min(pageCount, Math.max(to, minVisible))
  }
  if (to >= pageCount - 1) {
    to = pageCount
    from = Math.max(1, Math.min(from, pageCount - minVisible + 1))
  }
  if (from === 2) from = 1
  if (to === pageCount - 1) to = pageCount
  const items: PagerItem[] = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  if (from > 1) items.unshift(1, 'gap-before')
  if (to < pageCount) items.push('gap-after', pageCount)
  return items
}
