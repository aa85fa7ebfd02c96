import { useState, type KeyboardEvent } from 'react'
import { messages } from '@trunkline/contract/messages/session'
import { PasswordInput } from '../ui/inputs'
import { useBound, type FieldProps } from './bind'
import { asText } from './text'

/** A new password that a person makes up; warns about caps lock. */
export const Password = (props: FieldProps) => {
  const { label, required, help, readOnly } = props
  const { field, value, error } = useBound(props)
  const [caps, setCaps] = useState(false)
  const onKey = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'))
  return (
    <PasswordInput
      {...field}
      value={asText(value)}
      label={label}
      withAsterisk={required}
      aria-required={required || undefined}
      description={caps ? messages.capsLock : help}
      error={error}
      readOnly={readOnly}
      autoComplete="new-password"
      onKeyDown={onKey}
      onKeyUp={onKey}
      visibilityToggleButtonProps={{ 'aria-label': `Show ${label}`, tabIndex: 0 }}
    />
  )
}
