/** The box to tick. */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { Checkbox as Box } from '@mantine/core'
import { dressed } from '../theme/theme'

export const Checkbox = dressed(Box)
