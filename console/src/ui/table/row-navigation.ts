import type { KeyboardEvent } from 'react'

/** Computes the index of the row that each key moves to. */
const targetIndexByKey: Partial<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, last) => last,
}

/** Attribute that marks an element as a row. */
export const rowNavigationAttribute = { 'data-list-row': true }

const rowSelector = '[data-list-row]'
const controlSelector = 'a[href], button:not(:disabled), input:not(:disabled)'

/** These elements use the same keys themselves. */
const arrowKeyElements =
  'input:not([type=checkbox]), select, textarea, [contenteditable], [aria-haspopup], [role=combobox]'

const findControls = (element: Element) => [...element.querySelectorAll<HTMLElement>(controlSelector)]

const findMainControl = (row: HTMLElement) =>
  row.matches(controlSelector) ? row : (row.querySelector<HTMLElement>('a[href], button') ?? findControls(row)[0])

/**
 * Returns the control of the other row in the same column, so that Space can check row after row; otherwise its main
 * control.
 */
const findCounterpart = (control: HTMLElement, row: HTMLElement) => {
  const cell = control.closest('td')
  const otherCell = cell && row.children[cell.cellIndex]
  return (otherCell ? findControls(otherCell)[findControls(cell).indexOf(control)] : undefined) ?? findMainControl(row)
}

/**
 * Moves the focus between rows with the arrow keys, Home and End. Rows have the `rowNavigationAttribute`. Outside a row
 * these keys scroll the list as usual.
 */
export const moveBetweenRows = (event: KeyboardEvent<HTMLElement>) => {
  const getTargetIndex = targetIndexByKey[event.key]
  const control = event.target as HTMLElement
  const row = control.closest<HTMLElement>(rowSelector)
  if (!getTargetIndex || !row || event.defaultPrevented || control.closest(arrowKeyElements)) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(rowSelector)]
  const next = rows[getTargetIndex(rows.indexOf(row), rows.length - 1)]
  event.preventDefault()
  if (next) findCounterpart(control, next)?.focus()
}
