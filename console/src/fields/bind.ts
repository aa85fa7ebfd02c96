import { useContext, type ReactNode } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { ReadOnlyContext, useFact } from './form-facts'

/** What every field is given. */
export interface FieldProps {
  /** The wire name, with dots inside: 'call_hook.url'. */
  name: string
  label: string
  /** Shows the asterisk and refuses blank. */
  required?: boolean
  /** One line for who does not know the term. */
  help?: ReactNode
  disabled?: boolean
  readOnly?: boolean
}

/** Binds an input to the form around it. */
export const useBound = (
  { name, label, required, disabled, readOnly = false }: FieldProps,
  { secret = false } = {},
) => {
  const all = useContext(ReadOnlyContext)
  useFact(name, label, { required, secret })
  const { field, fieldState } = useController<FieldValues>({ name, disabled })
  return {
    field,
    value: field.value as unknown,
    error: fieldState.error?.message,
    touched: fieldState.isDirty,
    /** Said of this field or of the whole form. */
    readOnly: readOnly || all,
  }
}
