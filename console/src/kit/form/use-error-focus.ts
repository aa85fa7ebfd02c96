import { useEffect, useRef, type FocusEvent } from 'react'
import type { FieldRegistry } from '../../fields/field-registry'
import { toast } from '../../ui/feedback/toast'
import { focusFirstField, focusFirstInvalid, focusNextInvalid, getErrorsWithoutField } from './form-focus'
import type { FieldErrors } from './resolver'

const findScreenForm = () => document.getElementById('main')?.querySelector('form')

interface ErrorFocusOptions {
  registry: FieldRegistry
  isNew: boolean
  /** Receives the invalid fields before the first of them gets the focus. */
  onInvalid: ((paths: string[]) => void) | undefined
}

/** Moves the focus in a form: to the first field of a new record, and to invalid fields. */
export const useErrorFocus = ({ registry, isNew, onInvalid }: ErrorFocusOptions) => {
  const formElement = useRef<HTMLElement | null>(null)
  const lastFocusedField = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const form = isNew ? findScreenForm() : undefined
    if (form) focusFirstField(form)
  }, [isNew])

  /** Focuses the first invalid field. A field that is not on screen gets a toast. */
  const focusErrors = (errors: FieldErrors) => {
    const errorWithoutField = getErrorsWithoutField(errors, registry)[0]
    if (errorWithoutField) toast.bad(errorWithoutField)
    onInvalid?.(Object.keys(errors))
    if (formElement.current) focusFirstInvalid(formElement.current)
  }

  const focusNextError = (errors: FieldErrors) => {
    const form = findScreenForm()
    if (!form || focusNextInvalid(form, lastFocusedField.current)) return
    // all invalid fields are in closed tabs
    formElement.current = form
    focusErrors(errors)
  }

  const trackFocus = ({ target }: FocusEvent<HTMLFormElement, HTMLElement>) => {
    // buttons are not fields, except a select, whose role is combobox
    const button = target.closest('button')
    if (!button || button.role === 'combobox') lastFocusedField.current = target
  }
  return { formElement, focusErrors, focusNextError, trackFocus }
}
