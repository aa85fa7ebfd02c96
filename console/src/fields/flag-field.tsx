import { Checkbox } from '../ui/form/checkbox'
import { useBoundField, type FieldProps } from './use-bound-field'

interface FlagFieldProps extends FieldProps {
  /** Called after the user changes the checkbox. */
  onSelect?: (value: 0 | 1) => void
}

/** A checkbox with the value 0 or 1, as on the wire. */
export const FlagField = ({ onSelect, ...props }: FlagFieldProps) => {
  const { label } = props
  const { field, value, error, description, readOnly } = useBoundField(props)
  return (
    <Checkbox
      name={field.name}
      ref={field.ref}
      onBlur={field.onBlur}
      checked={Boolean(value)}
      onChange={(event) => {
        const flag = event.currentTarget.checked ? 1 : 0
        field.onChange(flag)
        onSelect?.(flag)
      }}
      label={label}
      help={description}
      error={error}
      disabled={props.disabled || readOnly}
    />
  )
}
