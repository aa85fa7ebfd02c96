/** Inputs that open a list; apart from inputs.ts, because lists weigh much. */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'
import { Autocomplete as Suggesting, MultiSelect as Several, Select as One } from '@mantine/core'
import { dressed } from '../theme/theme'

export const Autocomplete = dressed(Suggesting)
export const MultiSelect = dressed(Several)
export const Select = dressed(One)
