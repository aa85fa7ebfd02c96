import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { isSecret, isEditable } from '@trunkline/contract/speech/credential'
import type { ChoiceField, Field, JsonField, Vendor, ModeField } from '@trunkline/contract/speech/vendor'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { SelectField } from '../../fields/select-field'
import { FlagField } from '../../fields/flag-field'
import { ComboboxField } from '../../fields/combobox-field'
import { SecretField } from '../../fields/secret-field'
import { ServiceKeyField } from '../../fields/file-field'
import { FormTextArea, FormTextField } from '../../fields/text-fields'
import { toText } from '../../fields/use-text-input-props'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'
import { useVendorModels } from './use-vendor-models'
import { isFixedOnceSaved } from './values'

const toSelectOptions = (options: readonly { value: string; name: string }[]) =>
  options.map(({ value, name }) => ({ value, label: name }))

export interface VendorFieldProps {
  vendor: Vendor
  field: Field
  required: boolean
  /** The service is stored: fields that cannot change are read-only. */
  isStored: boolean
  /** The secret must be entered again, because it would go to another URL. */
  mustReenter: boolean
}

interface FieldProps {
  name: string
  label: string
  help?: string
  required: boolean
  readOnly: boolean
}

const ChoiceInput = ({ vendor, field, ...props }: FieldProps & { vendor: Vendor; field: ChoiceField }) => {
  const vendorModels = useVendorModels(vendor.vendor, field.catalogueKey)
  const knownValues = new Set(field.options.map(({ value }) => value))
  const options = toSelectOptions([...field.options, ...vendorModels.filter(({ value }) => !knownValues.has(value))])
  if (field.allowsCustom) return <ComboboxField {...props} options={options} placeholder={field.placeholder} />
  return <SelectField {...props} options={options} placeholder={field.placeholder ?? 'Choose'} />
}

/**
 * Selects an authentication method. Our server offers its own identity to administrators only; a stored choice stays
 * visible.
 */
const AuthMethodInput = ({ field, ...props }: FieldProps & { field: ModeField }) => {
  const actor = useActor()
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const { getValues } = useFormContext()
  const canUseServerIdentity =
    actor.scope === 'admin' || !capabilities.awsRoles || getValues(field.name) === field.serverIdentity
  return (
    <SelectField
      {...props}
      options={toSelectOptions(
        field.options.filter(({ value }) => canUseServerIdentity || value !== field.serverIdentity),
      )}
    />
  )
}

/** A secret that must be entered again. Starts empty, and restores its value when that is no longer required. */
const ReenteredSecret = (props: FieldProps) => {
  const { name } = props
  const { getValues, setValue } = useFormContext()
  useEffect(() => {
    const previousValue: unknown = getValues(name)
    setValue(name, '', { shouldDirty: true })
    return () => setValue(name, previousValue, { shouldDirty: true })
  }, [name, getValues, setValue])
  return <SecretField {...props} instruction={messages.reenterHint} maxLength={2048} />
}

const JsonInput = ({ field: { page }, ...props }: FieldProps & { field: JsonField }) => (
  <FormTextArea
    {...props}
    mono
    help={
      page ? (
        <Link href={page} isExternal>
          Supported options
        </Link>
      ) : undefined
    }
  />
)

/** Returns whether the field of a stored service can no longer change. */
const isFixed = (vendor: Vendor, field: Field) =>
  field.kind === 'mode' || field.kind === 'checkbox' ? isFixedOnceSaved(vendor, field) : !isEditable(field)

/** The input for one field of the vendor's description. */
export const VendorField = ({ vendor, field, isStored, mustReenter, ...otherProps }: VendorFieldProps) => {
  const { label, name, help } = field
  const isReadOnly = isStored && isFixed(vendor, field)
  const props = { name, label, help, required: otherProps.required && !isReadOnly, readOnly: isReadOnly }
  switch (field.kind) {
    case 'flag':
    case 'checkbox':
      return <FlagField {...props} required={false} disabled={isReadOnly} />
    case 'mode':
      return <AuthMethodInput {...props} field={field} />
    case 'choice':
      return <ChoiceInput {...props} vendor={vendor} field={field} />
    case 'json':
      return <JsonInput {...props} field={field} />
    case 'secret':
      return mustReenter ? <ReenteredSecret {...props} readOnly={false} /> : <SecretField {...props} maxLength={2048} />
    case 'service-key':
      return <ServiceKeyField {...props} />
    case 'text':
      return <FormTextField {...props} mono placeholder={field.placeholder} maxLength={2048} />
  }
}

const wideKinds: ReadonlySet<Field['kind']> = new Set(['json', 'service-key', 'flag', 'checkbox'])

/** The width of a field in the 12-column grid. */
export const getFieldSpan = ({ kind }: Field): 6 | 12 => (wideKinds.has(kind) ? 12 : 6)

/** Returns a function that fills in the vendor's suggestions when the user opens a section with empty fields. */
export const useSuggestions = (fields: readonly Field[]) => {
  const { getValues, setValue } = useFormContext()
  return () => {
    for (const field of fields)
      if (field.kind === 'json' && field.suggestion && toText(getValues(field.name)) === '')
        setValue(field.name, JSON.stringify(field.suggestion, null, 2), { shouldDirty: true })
  }
}

/** Returns whether any of these fields shows a value. */
export const useHasValue = (fields: readonly Field[]): boolean => {
  const { watch } = useFormContext()
  const values = watch(fields.map(({ name }) => name)) as unknown[]
  return values.some((value, index) => Boolean(value) && !isSecret(fields[index]!))
}
