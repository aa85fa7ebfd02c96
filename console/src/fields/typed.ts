import { useBound, type FieldProps } from './bind'

/** A field that is typed into. */
export interface TypedProps extends FieldProps {
  placeholder?: string
  maxLength?: number
}

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** The placeholder of a field; a dash where a value is absent and cannot be entered. */
export const placeholderFor = (readOnly: boolean, placeholder?: string): string | undefined =>
  readOnly ? '–' : placeholder

/** Binds an input that is typed into: what all of those have in common, as the props of the library's inputs. */
export const useTyped = (props: TypedProps, options?: { secret?: boolean }) => {
  const { label, required, placeholder, maxLength } = props
  const { field, value, error, description, readOnly } = useBound(props, options)
  return {
    ...field,
    value: asText(value),
    label,
    withAsterisk: required && !readOnly,
    'aria-required': required || undefined,
    description,
    error,
    readOnly,
    placeholder: placeholderFor(readOnly, placeholder),
    maxLength,
  }
}
