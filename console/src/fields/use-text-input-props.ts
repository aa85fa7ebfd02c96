import { useBoundField, type FieldProps } from './use-bound-field'

/** Props of a field that accepts typed text. */
export interface TextInputFieldProps extends FieldProps {
  placeholder?: string
  maxLength?: number
}

/** The option value that means null. */
export const noneValue = ''

export const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** The placeholder of a field; a dash if the field is empty and read-only. */
export const getPlaceholder = (readOnly: boolean, placeholder?: string): string | undefined =>
  readOnly ? '–' : placeholder

/** Binds a text input to its form. Returns the props that all text inputs share, as TextField takes them. */
export const useTextInputProps = (props: TextInputFieldProps, options?: { secret?: boolean }) => {
  const { label, required, placeholder, maxLength } = props
  const { field, value, error, description, readOnly } = useBoundField(props, options)
  return {
    ...field,
    value: toText(value),
    label,
    withAsterisk: required && !readOnly,
    required,
    help: description,
    error,
    readOnly,
    placeholder: getPlaceholder(readOnly, placeholder),
    maxLength,
  }
}
