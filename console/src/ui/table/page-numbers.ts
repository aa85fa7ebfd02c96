export type PagerItem = number | 'gap-before' | 'gap-after'

const neighbours = 1
const visible = 4

/** Returns the number of pages; an empty list has one. */
export const countPages = (total: number, pageSize: number) => Math.max(1, Math.ceil(total / pageSize))

/**
 * Returns the pages that the pager offers: the first, the last, the current one with a neighbour on each side, and at
 * least four in a row if there are enough. A gap replaces the others and skips several pages.
 */
export const getVisiblePages = (page: number, pages: number): PagerItem[] => {
  let from = Math.max(1, page - neighbours)
  let to = Math.min(pages, page + neighbours)
  // near an end, extend the row inwards, so that its length stays constant
  if (from <= 2) {
    from = 1
    to = Math.min(pages, Math.max(to, visible))
  }
  if (to >= pages - 1) {
    to = pages
    from = Math.max(1, Math.min(from, pages - visible + 1))
  }
  if (from === 2) from = 1
  if (to === pages - 1) to = pages
  const row: PagerItem[] = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  if (from > 1) row.unshift(1, 'gap-before')
  if (to < pages) row.push('gap-after', pages)
  return row
}
