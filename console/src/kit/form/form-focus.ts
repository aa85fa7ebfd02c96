import type { FieldRegistry } from '../../fields/field-registry'
import type { FieldErrors } from './resolver'

/** Removes secrets that the user did not change: the server keeps its values. */
export const omitUnchangedSecrets = (
  body: unknown,
  registry: FieldRegistry,
  isChanged: (name: string) => boolean,
): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !registry.secrets.has(name) || isChanged(name)))
}

/** Errors of fields that are not on screen. */
export const getErrorsWithoutField = (errors: FieldErrors, registry: FieldRegistry): string[] =>
  Object.entries(errors).flatMap(([path, message]) => (registry.labels.has(path) ? [] : [message]))

const findInvalidFields = (form: HTMLElement) => [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]

/** Focuses the first invalid field in screen order. Retries for a few frames until its message is rendered. */
export const focusFirstInvalid = (form: HTMLElement, remainingFrames = 10) => {
  requestAnimationFrame(() => {
    for (const field of findInvalidFields(form)) {
      field.focus()
      if (document.activeElement === field) return
    }
    if (remainingFrames > 1) focusFirstInvalid(form, remainingFrames - 1)
  })
}

const isAfter = (field: Node, otherField: Node) =>
  (otherField.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** Focuses the next invalid field after `last`, or else the first one. */
export const focusNextInvalid = (form: HTMLElement, lastFocusedField: Element | null): HTMLElement | undefined => {
  const fields = findInvalidFields(form).filter((field) => field.checkVisibility?.() ?? true)
  const next =
    (lastFocusedField?.isConnected ? fields.find((field) => isAfter(field, lastFocusedField)) : undefined) ?? fields[0]
  next?.focus()
  return next
}

const textInputSelector =
  'input:not([role=combobox], [readonly], [disabled], [type=hidden], [type=checkbox], [type=file]), textarea:not([readonly], [disabled])'

/** Focuses the first text field, unless the focus is already in the form. */
export const focusFirstField = (form: HTMLElement) => {
  if (!form.contains(document.activeElement)) form.querySelector<HTMLElement>(textInputSelector)?.focus()
}
