import { PasswordInput } from '../ui/inputs'
import { useBound, type FieldProps } from './bind'
import { asText } from './text'

export interface SecretProps extends FieldProps {
  placeholder?: string
  maxLength?: number
  /** Sent although untouched: its neighbours would mean something else without it. */
  keep?: boolean
}

/** A secret of the record: masked, shown on demand, not sent unless touched. */
export const Secret = (props: SecretProps) => {
  const { label, required, help, placeholder, maxLength, keep = false } = props
  const { field, value, error, readOnly } = useBound(props, { secret: !keep })
  return (
    <PasswordInput
      {...field}
      value={asText(value)}
      label={label}
      withAsterisk={required && !readOnly}
      aria-required={required || undefined}
      description={help}
      error={error}
      // the library marks every input but this one
      aria-invalid={error ? true : undefined}
      readOnly={readOnly}
      placeholder={placeholder}
      maxLength={maxLength}
      autoComplete="new-password"
      visibilityToggleButtonProps={{ 'aria-label': `Show ${label}`, tabIndex: 0 }}
    />
  )
}
