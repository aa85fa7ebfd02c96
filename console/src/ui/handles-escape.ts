/** Elements that handle Escape themselves, to close or clear. */
const escapeHandlingElements = 'dialog, [role=dialog], [role=alertdialog], [role=listbox], [role=combobox], input'

export const handlesEscape = (element: Element): boolean => element.closest(escapeHandlingElements) !== null
