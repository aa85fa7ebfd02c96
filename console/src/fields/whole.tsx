import { TextInput } from '../ui/inputs'
import { useBound, type FieldProps } from './bind'
import { asNumber } from './number'
import { asText } from './text'

export interface WholeProps extends FieldProps {
  placeholder?: string
}

/** A whole number; null when empty. What is none stays as it was typed, for the rules to refuse. */
export const Whole = (props: WholeProps) => {
  const { label, required, help, placeholder } = props
  const { field, value, error, readOnly } = useBound(props)
  return (
    <TextInput
      {...field}
      value={asText(value)}
      onChange={(event) => field.onChange(asNumber(event.currentTarget.value))}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={help}
      error={error}
      readOnly={readOnly}
      placeholder={readOnly ? undefined : placeholder}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}
