import { useContext, type ReactNode } from 'react'
import { useController, type FieldValues } from 'react-hook-form'
import { FieldRegistryContext, ReadOnlyContext, useRegisterField } from './field-registry'

/** Props of every field. */
export interface FieldProps {
  /** The wire name, with dots for nested fields: 'call_hook.url'. */
  name: string
  label: string
  /** Shows an asterisk and rejects an empty value. */
  required?: boolean
  /** One line for users who do not know the term. */
  help?: ReactNode
  /** How to fill in the field. Hidden if the field is read-only. */
  instruction?: ReactNode
  disabled?: boolean
  readOnly?: boolean
}

/** Binds an input to its form. */
export const useBoundField = (
  { name, label, required, help, instruction, disabled, readOnly = false }: FieldProps,
  { secret = false } = {},
) => {
  const isReadOnly = useContext(ReadOnlyContext) || readOnly
  const registry = useContext(FieldRegistryContext)
  useRegisterField(name, label, { required, secret })
  const { field, fieldState } = useController<FieldValues>({ name, disabled })
  const onChange = (next: unknown) => {
    registry.changed.add(name)
    field.onChange(next)
  }
  return {
    field: { ...field, onChange },
    value: field.value as unknown,
    error: fieldState.error?.message,
    /** The help, or else the instruction. */
    description: help ?? (isReadOnly ? undefined : instruction),
    /** True if this field or the complete form is read-only. */
    readOnly: isReadOnly,
  }
}
