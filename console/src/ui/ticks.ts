/** Boxes and dots to tick. */
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/Radio.layer.css'
import '@mantine/core/styles/Group.layer.css'

export { Checkbox, Radio } from '@mantine/core'
export type { CheckboxProps, RadioProps } from '@mantine/core'
