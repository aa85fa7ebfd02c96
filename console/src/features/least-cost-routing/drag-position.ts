const rowsIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-index]')]

/** Returns the nearest ancestor that scrolls, or the element itself. */
export const scrollerOf = (element: HTMLElement | null): HTMLElement | undefined => {
  for (let each = element; each; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  return undefined
}

/**
 * Returns the index for a dragged row at pointer height `y`; `present` is its current index. Rows swap once the pointer
 * passes the middle of the neighbour, so rows of different heights do not flicker.
 */
export const targetAt = (list: HTMLElement, y: number, present: number): number | undefined => {
  const rows = rowsIn(list)
  const under = rows.find((row) => y < row.getBoundingClientRect().bottom) ?? rows.at(-1)
  if (!under) return undefined
  const at = Number(under.dataset.index)
  const { top, height } = under.getBoundingClientRect()
  const past = y > top + height / 2
  if (at > present) return past ? at : at - 1
  return at < present && past ? at + 1 : at
}
