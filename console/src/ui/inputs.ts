/**
 * The typed-in parts of a form, dressed by the theme. They come through here so that their style sheets come along.
 * Sizes, order of label, input, help and error, and the error's icon are the theme's: pass label, description, error.
 */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput as Password, Textarea as Area, TextInput as Text } from '@mantine/core'
import { dressed } from '../theme/theme'

export const PasswordInput = dressed(Password)
export const Textarea = dressed(Area)
export const TextInput = dressed(Text)
