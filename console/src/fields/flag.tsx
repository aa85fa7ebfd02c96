import { Checkbox } from '../ui/ticks'
import { useBound, type FieldProps } from './bind'

/** A flag as a box to tick; its value is 0 or 1, as the wire has it. */
export const Flag = (props: FieldProps) => {
  const { label, help } = props
  const { field, value, error, readOnly } = useBound(props)
  return (
    <Checkbox
      name={field.name}
      ref={field.ref}
      onBlur={field.onBlur}
      checked={Boolean(value)}
      onChange={(event) => field.onChange(event.currentTarget.checked ? 1 : 0)}
      label={label}
      description={help}
      error={error}
      disabled={props.disabled || readOnly}
    />
  )
}
