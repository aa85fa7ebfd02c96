/** Fields, and lists of options that find an option by its first letter. */
const typingElements = 'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]'

/** Single-key shortcuts must not fire while the user types. The checkbox of a row is not a field. */
const isTyping = ({ target, key }: KeyboardEvent) =>
  target instanceof Element &&
  target.closest(typingElements) !== null &&
  target.closest('[data-list-row] [type=checkbox]') === null &&
  // leads from the filter of a list to its rows
  !(key === 'ArrowDown' && target.matches('[type=search]:not([role])'))

let areSingleKeysOn = true

/**
 * Turns shortcuts of one character on or off. Speech input and unsteady hands trigger them by accident, so users can
 * turn them off (WCAG 2.1.4).
 */
export const setSingleKeysOn = (isOn: boolean) => {
  areSingleKeysOn = isOn
}

/** Is this a press of one key that may be a shortcut? */
export const isSingleKey = (event: KeyboardEvent): boolean =>
  !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event) && (event.key.length > 1 || areSingleKeysOn)

/** While a dialog is open, shortcuts act on the dialog or do nothing. */
export const findOpenDialog = () => document.querySelector<HTMLElement>('[aria-modal=true]')
