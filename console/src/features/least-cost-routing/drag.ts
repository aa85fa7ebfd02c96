const rowsIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-index]')]

/** The nearest element around that scrolls. */
export const scrollerOf = (element: HTMLElement | null): HTMLElement | undefined => {
  for (let each = element; each; each = each.parentElement)
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY)) return each
  return undefined
}

/**
 * Where a row that stands at `present` belongs when the pointer is at this height: it changes places with a neighbour
 * once the pointer is past the middle of that one, so that rows of different heights do not flicker.
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
