import { Select } from '../ui/select'
import { useBound, type FieldProps } from './bind'
import { noneValue, placeholderFor } from './typed'

export interface ChoiceProps extends FieldProps {
  options: readonly { value: string; label: string }[]
  placeholder?: string
  /** A search box; with nine options or more unless given. */
  searchable?: boolean
  /** The label of the first option, which means null: 'None', 'All accounts'. */
  none?: string
  /** Any other text may be typed and used. */
  open?: boolean
  /** After the user changed the value: other fields may have to follow. */
  onPick?: (value: string | null) => void
}

/** The option that stands for a form value; null selects none. A number is selected by its digits. */
const optionValue = (value: unknown, none: string | undefined) => {
  if ((typeof value === 'string' && value !== '') || typeof value === 'number') return String(value)
  return none === undefined ? null : noneValue
}

/** One of several known values; null when none is selected. */
export const Choice = (props: ChoiceProps) => {
  const { label, required, options, placeholder, none, open, onPick } = props
  const { field, value, error, description, readOnly } = useBound(props)
  const allOptions = none === undefined ? options : [{ value: noneValue, label: none }, ...options]
  return (
    <Select
      ref={field.ref}
      onBlur={field.onBlur}
      options={allOptions}
      value={optionValue(value, none)}
      onChange={(next) => {
        const picked = next === noneValue ? null : next
        field.onChange(picked)
        onPick?.(picked)
      }}
      label={label}
      withAsterisk={required && !readOnly}
      required={required}
      help={description}
      error={error}
      disabled={props.disabled || readOnly}
      placeholder={placeholderFor(readOnly, placeholder)}
      searchable={props.searchable}
      allowsOther={open}
    />
  )
}
