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

const getNoneLabelProp = ({ required }: InputProps) => (required ? {} : { noneLabel: 'None' })

const renderTextField = ({ enum: allowedValues, obscure, uiHint, jambonzResource }: EnvVariable, props: InputProps) => {
  if (allowedValues) {
    const options = [...new Set(allowedValues.map(String))].map((value) => ({ value, label: value }))
    return <SelectField {...props} options={options} {...getNoneLabelProp(props)} />
  }
  if (jambonzResource === 'carriers') return <CarrierField {...props} valueType="name" {...getNoneLabelProp(props)} />
  // the server replaces all variables at once, so an unchanged secret must be sent too
  if (obscure) return <SecretField {...props} isSentIfUnchanged />
  if (uiHint === 'textarea') return <FormTextArea {...props} />
  if (uiHint === 'filepicker') return <FileTextField {...props} />
  return <FormTextField {...props} />
}

/** The input of one environment variable, as the webhook's schema describes it. */
export const EnvField = ({ name, variable }: { name: string; variable: EnvVariable }) => {
  const { type, description, required = false } = variable
  const props = { name: `env_vars.${name}`, label: name, help: description, required }
  // an unticked checkbox is a valid value too
  if (type === 'boolean') return <FlagField {...props} required={false} />
  if (type === 'number' && !variable.enum) return <FormTextField {...props} inputMode="decimal" />
  return renderTextField(variable, props)
}
