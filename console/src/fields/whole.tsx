import { TextField } from '../ui/text-field'
import { asNumber } from './number'
import { useTyped, type TypedProps } from './typed'

/** A whole number; null when empty. What is none stays as it was typed, for the rules to refuse. */
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
