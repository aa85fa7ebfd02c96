import { TextInput } from '../ui/inputs'
import { asNumber } from './number'
import { useTyped, type TypedProps } from './typed'

/** A whole number; null when empty. What is none stays as it was typed, for the rules to refuse. */
export const Whole = (props: TypedProps) => {
  const input = useTyped(props)
  return (
    <TextInput
      {...input}
      onChange={(event) => input.onChange(asNumber(event.currentTarget.value))}
      inputMode="numeric"
      autoComplete="off"
    />
  )
}
