import type { FieldRegistry } from '../../fields/field-registry'
import type { FieldErrors } from './resolver'

/** Removes secrets that the user did not change: the server keeps its values. */
export const omitUnchangedSecrets = (
  body: unknown,
  facts: FieldRegistry,
  dirty: Partial<Record<string, unknown>>,
): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !facts.secrets.has(name) || dirty[name]))
}

/** Errors of fields that are not on screen. */
export const getErrorsWithoutField = (faults: FieldErrors, facts: FieldRegistry): string[] =>
  Object.entries(faults).flatMap(([path, message]) => (facts.labels.has(path) ? [] : [message]))

const wrongFields = (form: HTMLElement) => [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]

/** Focuses the first invalid field in page order. Retries for a few frames until its message is rendered. */
export const focusFirstInvalid = (form: HTMLElement, frames = 10) => {
  requestAnimationFrame(() => {
    for (const field of wrongFields(form)) {
      field.focus()
      if (document.activeElement === field) return
    }
    if (frames > 1) focusFirstInvalid(form, frames - 1)
  })
}

const isAfter = (field: Node, other: Node) =>
  (other.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** Focuses the next invalid field after `last`, or else the first one. */
export const focusNextInvalid = (form: HTMLElement, last: Element | null): HTMLElement | undefined => {
  const fields = wrongFields(form).filter((field) => field.checkVisibility?.() ?? true)
  const next = (last?.isConnected ? fields.find((field) => isAfter(field, last)) : undefined) ?? fields[0]
  next?.focus()
  return next
}

const typedInto =
  'input:not([role=combobox], [readonly], [disabled], [type=hidden], [type=checkbox], [type=file]), textarea:not([readonly], [disabled])'

/** Focuses the first text field, unless the focus is already in the form. */
export const focusFirstField = (form: HTMLElement) => {
  if (!form.contains(document.activeElement)) form.querySelector<HTMLElement>(typedInto)?.focus()
}
