import type { FormFacts } from '../fields/form-facts'
import type { Faults } from './resolve'

/** The body without the secrets that nobody touched: the server keeps what it has. */
export const withoutUntouched = (body: unknown, facts: FormFacts, dirty: Partial<Record<string, unknown>>): unknown => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !facts.secrets.has(name) || dirty[name]))
}

/** Broken rules that no field on screen can show. */
export const homeless = (faults: Faults, facts: FormFacts): string[] =>
  Object.entries(faults).flatMap(([path, message]) => (facts.labels.has(path) ? [] : [message]))

const wrongFields = (form: HTMLElement) => [...form.querySelectorAll<HTMLElement>('[aria-invalid="true"]')]

/** Puts the focus on the first wrong field in the order of the page, once its message is drawn: a slow machine takes a few frames. */
export const focusFirstWrong = (form: HTMLElement, frames = 10) => {
  requestAnimationFrame(() => {
    for (const field of wrongFields(form)) {
      field.focus()
      if (document.activeElement === field) return
    }
    if (frames > 1) focusFirstWrong(form, frames - 1)
  })
}

const isAfter = (field: Node, other: Node) =>
  (other.compareDocumentPosition(field) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0

/** Puts the focus on the first wrong field after the one that had it last, or else on the first wrong field. */
export const focusNextWrong = (form: HTMLElement, last: Element | null): HTMLElement | undefined => {
  const fields = wrongFields(form).filter((field) => field.checkVisibility?.() ?? true)
  const next = (last?.isConnected ? fields.find((field) => isAfter(field, last)) : undefined) ?? fields[0]
  next?.focus()
  return next
}

const typedInto =
  'input:not([role=combobox], [readonly], [disabled], [type=hidden], [type=checkbox], [type=file]), textarea:not([readonly], [disabled])'

/** Puts the focus into the first field to type into or the first tile to choose, unless a field has it already. */
export const focusFirstField = (form: HTMLElement) => {
  if (!form.contains(document.activeElement)) form.querySelector<HTMLElement>(typedInto)?.focus()
}
