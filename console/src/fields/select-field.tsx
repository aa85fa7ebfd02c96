import { Select } from '../ui/form/select'
import { useBoundField, type FieldProps } from './use-bound-field'
import { noneValue, getPlaceholder } from './use-text-input-props'

export interface SelectFieldProps extends FieldProps {
  options: readonly { value: string; label: string }[]
  placeholder?: string
  /** Shows a search box. Default: only with nine options or more. */
  searchable?: boolean
  /** The label of the first option, which means null: 'None', 'All accounts'. */
  noneLabel?: string
  /** The user may also type any other text. */
  allowsCustomValue?: boolean
  /** Called after the user changes the value, for example to update other fields. */
  onSelect?: (value: string | null) => void
}

/** The option of a form value. Null selects none; a number selects the option with its digits. */
const toOptionValue = (value: unknown, noneLabel: string | undefined) => {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value)
  return noneLabel === undefined ? null : noneValue
}

/** Selects one of several options; the value is null if none is selected. */
export const SelectField = (props: SelectFieldProps) => {
  const { label, required, options, placeholder, noneLabel, allowsCustomValue, onSelect } = props
  const { field, value, error, description, readOnly } = useBoundField(props)
  const allOptions = noneLabel === undefined ? options : [{ value: noneValue, label: noneLabel }, ...options]
  return (
    <Select
      ref={field.ref}
      onBlur={field.onBlur}
      options={allOptions}
      value={toOptionValue(value, noneLabel)}
      onChange={(next) => {
        const selection = next === noneValue ? null : next
        field.onChange(selection)
        onSelect?.(selection)
      }}
      label={label}
      withAsterisk={required && !readOnly}
      required={required}
      help={description}
      error={error}
      disabled={props.disabled || readOnly}
      placeholder={getPlaceholder(readOnly, placeholder)}
      searchable={props.searchable}
      allowsCustomValue={allowsCustomValue}
    />
  )
}
