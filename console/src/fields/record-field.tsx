import { useBoundField, type FieldProps } from './use-bound-field'
import type { RecordSource } from './record-options'
import { RecordSelect } from './record-select'
import { noneValue, placeholderFor } from './use-typed-field'

export interface RecordFieldProps extends FieldProps, RecordSource {
  /** The label of the option that means null: 'None', 'All accounts'. */
  none?: string
  placeholder?: string
  /** The option that means null is a prompt: while selected, it appears as a placeholder, not as a value. */
  nonePrompts?: boolean
  onSelect?: (kept: string | null) => void
}

/** A form field that selects a record of another kind by name. */
export const RecordField = (props: RecordFieldProps) => {
  const { none, nonePrompts, onSelect } = props
  const { field, value, error, description, readOnly } = useBoundField(props)
  const kept = typeof value === 'string' && value !== '' ? value : null
  return (
    <RecordSelect
      records={props}
      ref={field.ref}
      onBlur={field.onBlur}
      none={none}
      value={kept ?? (none === undefined || nonePrompts ? null : noneValue)}
      onChange={(next) => {
        const picked = next === noneValue ? null : next
        field.onChange(picked)
        onSelect?.(picked)
      }}
      label={props.label}
      withAsterisk={props.required && !readOnly}
      required={props.required}
      help={description}
      error={error}
      disabled={[props.disabled, props.isIdle, readOnly].some(Boolean)}
      placeholder={placeholderFor(readOnly, nonePrompts ? none : props.placeholder)}
    />
  )
}
