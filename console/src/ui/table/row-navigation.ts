import type { KeyboardEvent } from 'react'

/** Computes the index of the row that each key moves to. */
const targetIndexByKey: Partial<Record<string, (index: number, last: number) => number>> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  j: (index) => index + 1,
  k: (index) => index - 1,
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

const findRow = (element: Element) => element.closest<HTMLElement>(rowSelector)
const findRows = (container: Element) => [...container.querySelectorAll<HTMLElement>(rowSelector)]
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
  const getTargetIndex = event.key.length > 1 ? targetIndexByKey[event.key] : undefined
  const control = event.target as HTMLElement
  const row = findRow(control)
  if (!getTargetIndex || !row || event.defaultPrevented || control.closest(arrowKeyElements)) return
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const rows = findRows(event.currentTarget)
  const next = rows[getTargetIndex(rows.indexOf(row), rows.length - 1)]
  event.preventDefault()
  if (next) findCounterpart(control, next)?.focus()
}

/** The list that last had the focus, and the index of its row. The row itself may be gone, for example deleted. */
let lastFocus: { list: Element | null; index: number } | undefined

/** Remembers the row that gets the focus. Listens to `focusin` of the document. */
export const rememberFocusedRow = ({ target }: Event) => {
  const row = target instanceof Element ? findRow(target) : undefined
  if (!row) return
  const index = findRows(row.closest('main') ?? document.body).indexOf(row)
  lastFocus = { list: row.parentElement, index }
}

/** Moves from row to row. From outside the rows, enters them where the focus last was. */
const moveFocus = (key: string, focused: HTMLElement, container: Element): boolean => {
  const rows = findRows(container)
  const row = findRow(focused)
  const lastIndex = lastFocus && container.contains(lastFocus.list) ? lastFocus.index : 0
  const index = row ? targetIndexByKey[key]?.(rows.indexOf(row), rows.length - 1) : Math.min(lastIndex, rows.length - 1)
  const next = rows[index ?? -1]
  if (next) (row ? findCounterpart(focused, next) : findMainControl(next))?.focus()
  return rows.length > 0
}

const hasKey = (control: Element, key: string) => control.getAttribute('aria-keyshortcuts')?.split(' ').includes(key)

/** The control that a key presses: one of the row with the focus, or one outside all rows. */
const findKeyControl = (key: string, row: HTMLElement | null, container: Element) =>
  [...container.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].find((control) => {
    const controlRow = findRow(control)
    return hasKey(control, key) && (!controlRow || controlRow === row)
  })

/**
 * Handles the keys of lists: j and k move between rows, Enter on a checkbox opens its row, and any other character
 * presses the control with this `aria-keyshortcuts`, in the row with the focus or outside the rows. Every screen whose
 * rows have the `rowNavigationAttribute` has these keys. Returns whether the key did anything.
 */
export const handleListKey = (
  { key, repeat }: Pick<globalThis.KeyboardEvent, 'key' | 'repeat'>,
  container: Element,
) => {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : document.body
  const row = findRow(focused)
  const isMove = key === 'j' || key === 'k'
  // with the focus elsewhere, the arrow keys scroll
  if (isMove || (/^Arrow(Up|Down)$/.test(key) && focused.matches('body, main, [type=search]')))
    return moveFocus(key, focused, container)
  if (repeat) return false
  const opensRow = key === 'Enter' && row && focused.matches('[type=checkbox]')
  const control = opensRow ? findMainControl(row) : key.length === 1 ? findKeyControl(key, row, container) : undefined
  control?.click()
  return control !== undefined
}
