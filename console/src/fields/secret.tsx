import { PasswordInput } from '../ui/inputs'
import { useTyped, type TypedProps } from './typed'

export interface SecretProps extends TypedProps {
  /** Sent although untouched: its neighbours would mean something else without it. */
  keep?: boolean
}

/** A secret of the record: masked, shown on demand, not sent unless touched. */
export const Secret = ({ keep = false, ...props }: SecretProps) => (
  <PasswordInput
    {...useTyped(props, { secret: !keep })}
    autoComplete="new-password"
    visibilityToggleButtonProps={{ 'aria-label': `Show ${props.label}`, tabIndex: 0 }}
  />
)
