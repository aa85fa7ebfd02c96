/**
 * The typed-in parts of a form, dressed by the theme. They come through here so that their style sheets come along.
 * Sizes, order of label, input, help and error, and the error's icon are the theme's: pass label, description, error.
 */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput as Password, Textarea as Area, TextInput as Text, type PasswordInputProps } from '@mantine/core'
import { dressed } from '../theme/theme'

const Hidden = dressed(Password)

/** Masked, and shown on demand. The library says of every other input when it is wrong, and has no name for the eye. */
export const PasswordInput = ({ label, error, ...input }: PasswordInputProps & { label: string }) => (
  <Hidden
    label={label}
    error={error}
    aria-invalid={error ? true : undefined}
    visibilityToggleButtonProps={{ 'aria-label': `Show ${label}`, tabIndex: 0 }}
    {...input}
  />
)

export const Textarea = dressed(Area)
export const TextInput = dressed(Text)
