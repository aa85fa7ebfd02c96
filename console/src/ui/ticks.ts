/** Boxes and dots to tick. */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/Group.layer.css'
import { Checkbox as Box, Radio as Dot } from '@mantine/core'
import { dressed } from '../theme/theme'

export const Checkbox = dressed(Box)
export const Radio = dressed(Dot)
export const RadioGroup = dressed(Dot.Group)
