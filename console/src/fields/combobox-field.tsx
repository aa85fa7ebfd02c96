import { Select } from '../ui/form/select'
import { useBoundField, type FieldProps } from './use-bound-field'
import { toText, getPlaceholder } from './use-text-input-props'

export interface ComboboxFieldProps extends FieldProps {
  options: readonly { value: string; label: string }[]
  placeholder?: string
}

/** One of several known values, or any other text. */
export const ComboboxField = (props: ComboboxFieldProps) => {
  const { label, required, options, placeholder } = props
  const { field, value, error, description, readOnly } = useBoundField(props)
  const text = toText(value)
  const isKnown = options.some((option) => option.value === text)
  return (
    <Select
      ref={field.ref}
      onBlur={field.onBlur}
      options={isKnown || text === '' ? options : [...options, { value: text, label: text }]}
      value={text === '' && !isKnown ? null : text}
      onChange={(selection) => field.onChange(selection)}
      label={label}
      withAsterisk={required && !readOnly}
      required={required}
      help={description}
      error={error}
      disabled={props.disabled || readOnly}
      placeholder={getPlaceholder(readOnly, placeholder ?? 'Choose or type')}
      allowsCustomValue
      emptyText="Type a value"
    />
  )
}
