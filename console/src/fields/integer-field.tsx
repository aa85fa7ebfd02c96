import { TextField } from '../ui/form/text-field'
import { asNumber } from './parse-number'
import { useTyped, type TypedProps } from './use-typed-field'

/** A field for an integer; null if empty. Other text stays as typed, for validation to reject. */
export const Whole = (props: TypedProps) => {
  const input = useTyped(props)
  return (
    <TextField
      {...input}
      onChange={(event) => input.onChange(asNumber(event.currentTarget.value))}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}
