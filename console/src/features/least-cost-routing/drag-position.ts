const listRows = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-index]')]

/** Returns the nearest ancestor that scrolls, or the element itself. */
export const findScrollContainer = (element: HTMLElement | null): HTMLElement | undefined => {
  for (let ancestor = element; ancestor; ancestor = ancestor.parentElement)
    if (ancestor.scrollHeight > ancestor.clientHeight && /auto|scroll/.test(getComputedStyle(ancestor).overflowY))
      return ancestor
  return undefined
}

/**
 * Returns the index for a dragged row at pointer height `y`; `currentIndex` is its present index. Rows swap once the
 * pointer passes the middle of the neighbour, so rows of different heights do not flicker.
 */
export const dropIndex = (list: HTMLElement, y: number, currentIndex: number): number | undefined => {
  const rows = listRows(list)
  const hoveredRow = rows.find((row) => y < row.getBoundingClientRect().bottom) ?? rows.at(-1)
  if (!hoveredRow) return undefined
  const hoveredIndex = Number(hoveredRow.dataset.index)
  const { top, height } = hoveredRow.getBoundingClientRect()
  const isPastMiddle = y > top + height / 2
  if (hoveredIndex > currentIndex) return isPastMiddle ? hoveredIndex : hoveredIndex - 1
  return hoveredIndex < currentIndex && isPastMiddle ? hoveredIndex + 1 : hoveredIndex
}
