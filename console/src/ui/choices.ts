/** The input that opens a list; apart from inputs.ts, because lists weigh much. */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { Select as One } from '@mantine/core'
import { dressed } from '../theme/theme'

export const Select = dressed(One)
