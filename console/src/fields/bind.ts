import { useContext, type ReactNode } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { FormFactsContext, ReadOnlyContext, useFact } from './form-facts'

/** What every field is given. */
export interface FieldProps {
  /** The wire name, with dots inside: 'call_hook.url'. */
  name: string
  label: string
  /** Shows the asterisk and refuses blank. */
  required?: boolean
  /** One line for who does not know the term. */
  help?: ReactNode
  /** How to fill the field in; not shown where it cannot be changed. */
  instruction?: ReactNode
  disabled?: boolean
  readOnly?: boolean
}

/** Binds an input to the form around it. */
export const useBound = (
  { name, label, required, help, instruction, disabled, readOnly = false }: FieldProps,
  { secret = false } = {},
) => {
  const isReadOnly = useContext(ReadOnlyContext) || readOnly
  const facts = useContext(FormFactsContext)
  useFact(name, label, { required, secret })
  const { field, fieldState } = useController<FieldValues>({ name, disabled })
  const onChange = (next: unknown) => {
    facts.changed.add(name)
    field.onChange(next)
  }
  return {
    field: { ...field, onChange },
    value: field.value as unknown,
    error: fieldState.error?.message,
    touched: fieldState.isDirty,
    /** The help, or else the instruction. */
    description: help ?? (isReadOnly ? undefined : instruction),
    /** Said of this field or of the whole form. */
    readOnly: isReadOnly,
  }
}
