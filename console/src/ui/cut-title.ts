import type { PointerEvent } from 'react'

/** Gives the cell under the pointer its whole text as a title while the cell cuts it off. For the `tbody` of a table. */
export const titleCutCell = ({ target }: PointerEvent) => {
  const cell = (target as Element).closest('td')
  if (!cell) return
  const isCut = [cell, ...cell.querySelectorAll('*')].some(
    (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
  )
  if (isCut) cell.title = cell.innerText
  else cell.removeAttribute('title')
}
