/** Inputs that open a list; apart from inputs.ts, because lists weigh much and sign-in has none. */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import '@mantine/core/styles/Pill.layer.css'
import '@mantine/core/styles/PillsInput.layer.css'

export { Autocomplete, MultiSelect, Select } from '@mantine/core'
export type { AutocompleteProps, MultiSelectProps, SelectProps } from '@mantine/core'
