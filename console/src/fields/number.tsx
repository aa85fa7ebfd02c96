import { TextInput } from '../ui/inputs'
import { useBound, type FieldProps } from './bind'
import { asText } from './text'

export interface NumberFieldProps extends FieldProps {
  min?: number
  max?: number
  placeholder?: string
}

/** Digits become a number, nothing becomes null; what is neither stays as typed, for the rules to refuse. */
export const asNumber = (typed: string): number | string | null => {
  const text = typed.trim()
  if (text === '') return null
  return /^-?\d{1,15}$/.test(text) ? Number(text) : typed
}

/** A whole number; null when empty. */
export const NumberField = (props: NumberFieldProps) => {
  const { label, required, help, readOnly, placeholder } = props
  const { field, value, error } = useBound(props)
  return (
    <TextInput
      {...field}
      value={asText(value)}
      onChange={(event) => field.onChange(asNumber(event.currentTarget.value))}
      label={label}
      withAsterisk={required}
      aria-required={required || undefined}
      description={help}
      error={error}
      readOnly={readOnly}
      placeholder={placeholder}
      inputMode="numeric"
      autoComplete="off"
      data-mono
    />
  )
}
