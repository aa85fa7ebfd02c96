import type { PointerEvent } from 'react'

/** Is the text of a cell cut? An overflow that is smaller than the padding does not show in its scroll width. */
const isTextCut = (cell: HTMLElement) => {
  const { paddingLeft, paddingRight } = getComputedStyle(cell)
  const range = document.createRange()
  range.selectNodeContents(cell)
  const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
  return range.getBoundingClientRect().width > room + 0.1
}

const isPartCut = (part: Element) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1

/** Gives the cell under the pointer its whole text as a title while the cell cuts it off. For the `tbody` of a table. */
export const titleCutCell = ({ target }: PointerEvent) => {
  // a cell over several columns is no cell of one record
  const cell = (target as Element).closest<HTMLElement>('td:not([colspan])')
  if (!cell) return
  if (isTextCut(cell) || [...cell.querySelectorAll('*')].some(isPartCut)) cell.title = cell.innerText
  else cell.removeAttribute('title')
}
