import type { PointerEvent } from 'react'

/**
 * Whether the text of a cell is cut off. `scrollWidth` misses an overflow smaller than the padding, so this measures
 * the text.
 */
const isTextCut = (cell: HTMLElement) => {
  const { paddingLeft, paddingRight } = getComputedStyle(cell)
  const range = document.createRange()
  range.selectNodeContents(cell)
  const contentWidth = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  return range.getBoundingClientRect().width > contentWidth + 0.1
}

const isContentCut = (element: Element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1

/**
 * Sets the full text as the title of the cell under the pointer while the cell cuts it off. For the `tbody` of a table.
 */
export const setCutCellTitle = ({ target }: PointerEvent) => {
  // a cell that spans columns does not belong to one record
  const cell = (target as Element).closest<HTMLElement>('td:not([colspan])')
  if (!cell) return
  if (isTextCut(cell) || [...cell.querySelectorAll('*')].some(isContentCut)) cell.title = cell.innerText
  else cell.removeAttribute('title')
}
