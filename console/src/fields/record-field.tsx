import { useBoundField, type FieldProps } from './use-bound-field'
import type { RecordSource } from './record-options'
import { RecordSelect } from './record-select'
import { noneValue, getPlaceholder } from './use-text-input-props'

export interface RecordFieldProps extends FieldProps, RecordSource {
  /** The label of the option that means null: 'None', 'All accounts'. */
  noneLabel?: string
  placeholder?: string
  /** The option that means null is a prompt: while selected, it appears as a placeholder, not as a value. */
  showsNoneAsPlaceholder?: boolean
  onSelect?: (value: string | null) => void
}

/** A form field that selects a record of another kind by name. */
export const RecordField = (props: RecordFieldProps) => {
  const { noneLabel, showsNoneAsPlaceholder, onSelect } = props
  const { field, value, error, description, readOnly } = useBoundField(props)
  const selectedSid = typeof value === 'string' && value !== '' ? value : null
  return (
    <RecordSelect
      records={props}
      ref={field.ref}
      onBlur={field.onBlur}
      noneLabel={noneLabel}
      value={selectedSid ?? (noneLabel === undefined || showsNoneAsPlaceholder ? null : noneValue)}
      onChange={(next) => {
        const selection = next === noneValue ? null : next
        field.onChange(selection)
        onSelect?.(selection)
      }}
      label={props.label}
      withAsterisk={props.required && !readOnly}
      required={props.required}
      help={description}
      error={error}
      disabled={[props.disabled, props.isIdle, readOnly].some(Boolean)}
      placeholder={getPlaceholder(readOnly, showsNoneAsPlaceholder ? noneLabel : props.placeholder)}
    />
  )
}
