/**
 * The typed-in parts of a form, dressed by the theme. They come through here so that their style sheets come along.
 * Sizes, order of label, input, help and error, and the error's icon are the theme's: pass label, description, error.
 */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'

export { PasswordInput, Textarea, TextInput } from '@mantine/core'
export type { PasswordInputProps, TextareaProps, TextInputProps } from '@mantine/core'
