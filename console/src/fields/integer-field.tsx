import { TextField } from '../ui/form/text-field'
import { parseNumber } from './parse-number'
import { useTextInputProps, type TextInputFieldProps } from './use-text-input-props'

/** A field for an integer; null if empty. Other text stays as typed, for validation to reject. */
export const IntegerField = (props: TextInputFieldProps) => {
  const input = useTextInputProps(props)
  return (
    <TextField
      {...input}
      onChange={(event) => input.onChange(parseNumber(event.currentTarget.value))}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}
