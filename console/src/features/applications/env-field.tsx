import type { EnvVariable } from '@trunkline/contract/telephony/app-env'
import { Choice } from '../../fields/choice-field'
import { FileText } from '../../fields/file-field'
import { Flag } from '../../fields/flag-field'
import { Carrier } from '../../fields/record-fields'
import { Secret } from '../../fields/secret-field'
import { LongText, Text } from '../../fields/text-fields'

interface InputProps {
  name: string
  label: string
  help: string
  required: boolean
}

const noneOption = ({ required }: InputProps) => (required ? {} : { none: 'None' })

const renderTextField = ({ enum: choices, obscure, uiHint, jambonzResource }: EnvVariable, props: InputProps) => {
  if (choices) {
    const options = [...new Set(choices.map(String))].map((value) => ({ value, label: value }))
    return <Choice {...props} options={options} {...noneOption(props)} />
  }
  if (jambonzResource === 'carriers') return <Carrier {...props} keeps="name" {...noneOption(props)} />
  if (obscure) return <Secret {...props} keep />
  if (uiHint === 'textarea') return <LongText {...props} />
  if (uiHint === 'filepicker') return <FileText {...props} />
  return <Text {...props} />
}

/** One environment variable, with the input that the webhook's schema describes. */
export const EnvField = ({ name, variable }: { name: string; variable: EnvVariable }) => {
  const { type, description, required = false } = variable
  const props = { name: `env_vars.${name}`, label: name, help: description, required }
  // an unticked checkbox is a valid value too
  if (type === 'boolean') return <Flag {...props} required={false} />
  if (type === 'number' && !variable.enum) return <Text {...props} inputMode="decimal" />
  return renderTextField(variable, props)
}
