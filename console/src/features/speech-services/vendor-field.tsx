import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { isSecret, isEditable } from '@trunkline/contract/speech/credential'
import type { ChoiceField, Field, JsonField, Vendor, ModeField } from '@trunkline/contract/speech/vendor'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { SelectField } from '../../fields/choice-field'
import { FlagField } from '../../fields/flag-field'
import { ComboboxField } from '../../fields/open-choice-field'
import { SecretField } from '../../fields/secret-field'
import { ServiceKeyField } from '../../fields/file-field'
import { FormTextArea, FormTextField } from '../../fields/text-fields'
import { toText } from '../../fields/use-typed-field'
import { capabilitiesQuery, noCapabilities } from '../../lib/server-capabilities'
import { useActor } from '../../session/session'
import { Link } from '../../ui/link'
import { useModels } from './use-vendor-models'
import { isSettled } from './values'

const labelled = (offers: readonly { value: string; name: string }[]) =>
  offers.map(({ value, name }) => ({ value, label: name }))

export interface VendorFieldProps {
  vendor: Vendor
  field: Field
  required: boolean
  /** The service is stored: fields that cannot change are read-only. */
  saved: boolean
  /** The secret must be entered again, because it would go to another URL. */
  wanted: boolean
}

interface BoundProps {
  name: string
  label: string
  help?: string
  required: boolean
  readOnly: boolean
}

const OneOf = ({ vendor, field, ...props }: BoundProps & { vendor: Vendor; field: ChoiceField }) => {
  const listed = useModels(vendor.vendor, field.catalogueKey)
  const known = new Set(field.options.map(({ value }) => value))
  const options = labelled([...field.options, ...listed.filter(({ value }) => !known.has(value))])
  if (field.allowsCustom) return <ComboboxField {...props} options={options} placeholder={field.placeholder} />
  return <SelectField {...props} options={options} placeholder={field.placeholder ?? 'Choose'} />
}

/**
 * Selects an authentication method. Our server offers its own identity to administrators only; a stored choice stays
 * visible.
 */
const Way = ({ field, ...props }: BoundProps & { field: ModeField }) => {
  const actor = useActor()
  const { data: capabilities = noCapabilities } = useQuery(capabilitiesQuery)
  const { getValues } = useFormContext()
  const lends = actor.scope === 'admin' || !capabilities.awsRoles || getValues(field.name) === field.serverIdentity
  return (
    <SelectField
      {...props}
      options={labelled(field.options.filter(({ value }) => lends || value !== field.serverIdentity))}
    />
  )
}

/** A secret that must be entered again. Starts empty, and restores its value when that is no longer required. */
const SecretAgain = (props: BoundProps) => {
  const { name } = props
  const { getValues, setValue } = useFormContext()
  useEffect(() => {
    const before: unknown = getValues(name)
    setValue(name, '', { shouldDirty: true })
    return () => setValue(name, before, { shouldDirty: true })
  }, [name, getValues, setValue])
  return <SecretField {...props} instruction={messages.reenterHint} maxLength={2048} />
}

const Options = ({ field: { page }, ...props }: BoundProps & { field: JsonField }) => (
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
  field.kind === 'way' || field.kind === 'tick' ? isSettled(vendor, field) : !isEditable(field)

/** One field of a vendor's description, of any kind. */
export const VendorField = ({ vendor, field, saved, wanted, ...given }: VendorFieldProps) => {
  const { label, name, help } = field
  const kept = saved && isFixed(vendor, field)
  const props = { name, label, help, required: given.required && !kept, readOnly: kept }
  switch (field.kind) {
    case 'flag':
    case 'tick':
      return <FlagField {...props} required={false} disabled={kept} />
    case 'way':
      return <Way {...props} field={field} />
    case 'choice':
      return <OneOf {...props} vendor={vendor} field={field} />
    case 'json':
      return <Options {...props} field={field} />
    case 'secret':
      return wanted ? <SecretAgain {...props} readOnly={false} /> : <SecretField {...props} maxLength={2048} />
    case 'service-key':
      return <ServiceKeyField {...props} />
    case 'text':
      return <FormTextField {...props} mono placeholder={field.placeholder} maxLength={2048} />
  }
}

const wide: ReadonlySet<Field['kind']> = new Set(['json', 'service-key', 'flag', 'tick'])

/** The width of a field in the 12-column grid. */
export const spanOf = ({ kind }: Field): 6 | 12 => (wide.has(kind) ? 12 : 6)

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
export const useFilled = (fields: readonly Field[]): boolean => {
  const { watch } = useFormContext()
  const values = watch(fields.map(({ name }) => name)) as unknown[]
  return values.some((value, place) => Boolean(value) && !isSecret(fields[place]!))
}
