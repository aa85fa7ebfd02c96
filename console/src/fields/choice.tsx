import { Select } from '../ui/choices'
import { useBound, type FieldProps } from './bind'

export interface ChoiceProps extends FieldProps {
  options: { value: string; label: string }[]
  placeholder?: string
  /** A search box; from nine options on unless said. */
  searchable?: boolean
  /** The first option, which means null: 'None', 'All accounts'. */
  none?: string
  /** After the value changed by hand: other fields may have to follow. */
  onPick?: (value: string | null) => void
}

/** The option that stands for null: a list cannot hold null itself. */
export const noneValue = ''

/** The option of a value: a number is chosen by its digits. */
const chosen = (value: unknown, none: string | undefined) => {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return none === undefined ? null : noneValue
}

/** One of a few known values; null when none. */
export const Choice = (props: ChoiceProps) => {
  const { label, required, help, options, placeholder, none, onPick } = props
  const { field, value, error, readOnly } = useBound(props)
  const all = none === undefined ? options : [{ value: noneValue, label: none }, ...options]
  return (
    <Select
      name={field.name}
      ref={field.ref}
      onBlur={field.onBlur}
      value={chosen(value, none)}
      onChange={(next) => {
        const picked = next === null || next === noneValue ? null : next
        field.onChange(picked)
        onPick?.(picked)
      }}
      data={all}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={help}
      error={error}
      disabled={props.disabled || readOnly}
      placeholder={placeholder}
      searchable={props.searchable ?? all.length > 8}
      nothingFoundMessage="Nothing found"
    />
  )
}
