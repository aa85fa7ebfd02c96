import type { EnvVariable } from '@trunkline/contract/telephony/app-env'
import { SelectField } from '../../fields/select-field'
import { FileTextField } from '../../fields/file-field'
import { FlagField } from '../../fields/flag-field'
import { CarrierField } from '../../fields/record-fields'
import { SecretField } from '../../fields/secret-field'
import { FormTextArea, FormTextField } from '../../fields/text-fields'

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
    return <SelectField {...props} options={options} {...noneOption(props)} />
  }
  if (jambonzResource === 'carriers') return <CarrierField {...props} valueType="name" {...noneOption(props)} />
  if (obscure) return <SecretField {...props} keep />
  if (uiHint === 'textarea') return <FormTextArea {...props} />
  if (uiHint === 'filepicker') return <FileTextField {...props} />
  return <FormTextField {...props} />
}

/** One environment variable, with the input that the webhook's schema describes. */
export const EnvField = ({ name, variable }: { name: string; variable: EnvVariable }) => {
  const { type, description, required = false } = variable
  const props = { name: `env_vars.${name}`, label: name, help: description, required }
  // an unticked checkbox is a valid value too
  if (type === 'boolean') return <FlagField {...props} required={false} />
  if (type === 'number' && !variable.enum) return <FormTextField {...props} inputMode="decimal" />
  return renderTextField(variable, props)
}
