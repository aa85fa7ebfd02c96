import { TextField } from '../ui/form/text-field'
import { parseNumber } from './parse-number'
import { useTypedField, type TypedFieldProps } from './use-typed-field'

/** A field for an integer; null if empty. Other text stays as typed, for validation to reject. */
export const IntegerField = (props: TypedFieldProps) => {
  const input = useTypedField(props)
  return (
    <TextField
      {...input}
      onChange={(event) => input.onChange(parseNumber(event.currentTarget.value))}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}
