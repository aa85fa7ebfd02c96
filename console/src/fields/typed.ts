import { useBound, type FieldProps } from './bind'

/** A field that is typed into. */
export interface TypedProps extends FieldProps {
  placeholder?: string
  maxLength?: number
}

/** The option value that stands for null. */
export const noneValue = ''

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** The placeholder of a field; a dash where a value is absent and cannot be entered. */
export const placeholderFor = (readOnly: boolean, placeholder?: string): string | undefined =>
  readOnly ? '–' : placeholder

/** Binds an input that is typed into: what all of those have in common, as props of TextField. */
export const useTyped = (props: TypedProps, options?: { secret?: boolean }) => {
  const { label, required, placeholder, maxLength } = props
  const { field, value, error, description, readOnly } = useBound(props, options)
  return {
    ...field,
    value: asText(value),
    label,
    withAsterisk: required && !readOnly,
    required,
    help: description,
    error,
    readOnly,
    placeholder: placeholderFor(readOnly, placeholder),
    maxLength,
  }
}
