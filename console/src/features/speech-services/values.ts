import { messages } from '@trunkline/contract/messages/speech-credential'
import type { GoogleCustomVoice } from '@trunkline/contract/shapes/google-custom-voice'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import {
  addDerivedValues,
  findCredentialErrors,
  directionFlags,
  isApplicable,
  isStored,
  isSecret,
  isEditable,
  findSecretsToReenter,
  type CredentialError,
  type StoredField,
} from '@trunkline/contract/speech/credential'
import type { Field, CredentialValues, Vendor } from '@trunkline/contract/speech/vendor'
import { customPrefix, isCustomVendor, findVendorById } from '@trunkline/contract/speech/vendors'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import type { FieldErrors } from '../../kit/form/form'
import { createEmptyVoice, toVoiceValues, type VoiceValues } from './voice-values'

/** A service with its custom voices, as the form reads it. */
export type ServiceWithVoices = SpeechCredential & { voices?: GoogleCustomVoice[] }

type CoreValues = {
  vendor: string
  /** The name of a custom vendor that the installation adds. */
  vendor_name: string
  account_sid: string | null
  label: string
  use_for_tts: number
  use_for_stt: number
  use_custom_voices: number
  voices: VoiceValues[]
}

/** The form values: the core, and every field of every vendor by name. */
export type ServiceValues = CoreValues & Record<string, unknown>

const isFlag = ({ kind }: Field) => kind === 'flag' || kind === 'checkbox'

/** The initial value of a field. */
const getInitialValue = (field: Field) => (isFlag(field) ? 0 : (field.initialValue ?? ''))

/** Empties all fields of all vendors, so that no value carries over to another vendor. */
const createEmptyValues = () =>
  Object.fromEntries(vendors.flatMap(({ fields }) => fields.map((field) => [field.name, isFlag(field) ? 0 : ''])))

/** The form values after a vendor is selected: its defaults, with all its directions on. */
export const getVendorDefaults = (vendor: Vendor | undefined): Record<string, unknown> => ({
  ...createEmptyValues(),
  ...Object.fromEntries(vendor?.fields.map((field) => [field.name, getInitialValue(field)]) ?? []),
  use_for_tts: Number(Boolean(vendor?.synthesis)),
  use_for_stt: Number(Boolean(vendor?.recognition)),
})

const toFieldValues = (vendor: Vendor, row: SpeechCredential): Record<string, unknown> => {
  const fieldValues = addDerivedValues(vendor, row)
  const toFormValue = (field: Field) =>
    isFlag(field)
      ? Number(fieldValues[field.name] === 1 || fieldValues[field.name] === true)
      : (fieldValues[field.name] ?? '')
  return Object.fromEntries(vendor.fields.map((field) => [field.name, toFormValue(field)]))
}

const createNewServiceValues = (account_sid: string | null): CoreValues => ({
  vendor: '',
  vendor_name: '',
  account_sid,
  label: '',
  use_for_tts: 0,
  use_for_stt: 0,
  use_custom_voices: 0,
  voices: [createEmptyVoice()],
})

/** The form's initial values. `account_sid`: the owner of a new service. */
export const toServiceValues = (row: ServiceWithVoices | undefined, account_sid: string | null): ServiceValues => {
  if (!row) return { ...createEmptyValues(), ...createNewServiceValues(account_sid) }
  const vendor = findVendorById(row.vendor)
  const voices = row.voices ?? []
  return {
    ...getVendorDefaults(vendor),
    ...(vendor ? toFieldValues(vendor, row) : {}),
    vendor: vendor?.vendor ?? row.vendor,
    vendor_name: isCustomVendor(row.vendor) ? row.vendor.slice(customPrefix.length) : '',
    account_sid: row.account_sid,
    label: row.label ?? '',
    use_for_tts: row.use_for_tts ?? 1,
    use_for_stt: row.use_for_stt ?? 1,
    use_custom_voices: Number(voices.length > 0),
    voices: voices.length > 0 ? voices.map(toVoiceValues) : [createEmptyVoice()],
  }
}

/** The vendor's description; undefined until one is selected, and for an unknown vendor. */
export const findSelectedVendor = ({ vendor }: Pick<CoreValues, 'vendor'>): Vendor | undefined =>
  vendors.find((candidate) => candidate.vendor === vendor)

/** The trimmed values that the description's rules validate. */
export const trimValues = (values: CredentialValues): CredentialValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

/** The vendor name to store. */
const getStoredVendor = ({ vendor, vendor_name }: CoreValues) =>
  findSelectedVendor({ vendor })?.isNamedByInstallation ? `${customPrefix}${vendor_name.trim()}` : vendor

const toColumnValue = (field: StoredField, value: unknown) => (field.kind === 'flag' ? Number(value) : value || null)

/** Returns the other columns that the selected option sets. A typed value sets none. */
const getImpliedColumns = (field: StoredField, value: unknown) =>
  field.kind === 'choice' && value && field.options.some((option) => option.value === value)
    ? field.impliedValues
    : undefined

/**
 * Returns the value of each field by name. If two fields share a name, the applicable one wins. `storedRow`: the stored
 * service.
 */
const toColumns = (
  vendor: Vendor,
  values: ServiceValues,
  isIncluded: (field: StoredField) => boolean,
  storedRow?: SpeechCredential,
) => {
  const trimmedValues = trimValues(values)
  const storedFieldValues = storedRow ? addDerivedValues(vendor, storedRow) : {}
  const fields = vendor.fields.filter(isStored).filter(isIncluded)
  const isShown = (field: StoredField) => isApplicable(field, trimmedValues)
  const allValues = fields.map((field): [string, unknown] => {
    // a disabled direction keeps its values, for when it is enabled again
    if (isApplicable({ ...field, direction: undefined }, trimmedValues))
      return [field.name, toColumnValue(field, trimmedValues[field.name])]
    // keeps a stored column that the form does not show, unless the fields that it depends on were changed
    const isUnchanged = Object.keys(field.condition ?? {}).every(
      (name) => (storedFieldValues[name] ?? 0) === trimmedValues[name],
    )
    const value = isUnchanged ? storedFieldValues[field.name] : undefined
    return [field.name, value === undefined || value === null ? null : toColumnValue(field, value)]
  })
  const shownValues = fields
    .filter(isShown)
    .map((field): [string, unknown] => [field.name, toColumnValue(field, trimmedValues[field.name])])
  const impliedColumns = fields.filter(isShown).map((field) => getImpliedColumns(field, trimmedValues[field.name]))
  return Object.assign({}, Object.fromEntries(allValues), Object.fromEntries(shownValues), ...impliedColumns) as Record<
    string,
    unknown
  >
}

const pickDirectionFlags = ({ use_for_tts, use_for_stt }: CoreValues) => ({ use_for_tts, use_for_stt })

/** The body of a new service: only the fields that have a value. */
export const toServiceDraft = (values: ServiceValues): Record<string, unknown> => {
  const vendor = findSelectedVendor(values)
  const columns = vendor ? toColumns(vendor, values, (field) => isApplicable(field, trimValues(values))) : {}
  return {
    vendor: getStoredVendor(values),
    account_sid: values.account_sid,
    label: values.label.trim() || null,
    ...pickDirectionFlags(values),
    ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)),
  }
}

const toEditableColumns = (vendor: Vendor, values: ServiceValues, storedRow: SpeechCredential | undefined) =>
  toColumns(vendor, values, isEditable, storedRow)

/** Returns the names of the secrets that must be entered again, because the URL that receives them has changed. */
export const listSecretNamesToReenter = (values: ServiceValues, storedRow: SpeechCredential | undefined): string[] => {
  const vendor = findSelectedVendor(values)
  if (!vendor || !storedRow) return []
  return findSecretsToReenter(vendor, storedRow, toEditableColumns(vendor, values, storedRow)).map(({ name }) => name)
}

/** The body of an update: every column that can change, because some servers reset missing ones. */
export const getServiceChanges = (
  values: ServiceValues,
  storedRow: SpeechCredential | undefined,
): Record<string, unknown> => {
  const vendor = findSelectedVendor(values)
  const secretNames = listSecretNamesToReenter(values, storedRow).filter((name) => values[name])
  return {
    ...pickDirectionFlags(values),
    ...(vendor ? toEditableColumns(vendor, values, storedRow) : {}),
    ...Object.fromEntries(secretNames.map((name) => [name, values[name]])),
  }
}

const createErrorTexts = (label: string): Record<Exclude<CredentialError['reason'], 'missing'>, string> => ({
  'host-port': messages.invalid.hostPort(label),
  url: messages.invalid.url(label),
  'host-port-or-url': messages.invalid.hostPortOrUrl(label),
  host: messages.invalid.host(label),
  json: messages.invalid.json(label),
  'service-key': messages.serviceKey,
})

/** Checks the vendor's rules, and that a vendor is selected. The fields report missing values themselves. */
export const findServiceErrors = (values: ServiceValues, record: ServiceWithVoices | undefined): FieldErrors => {
  const vendor = findSelectedVendor(values)
  if (!vendor) return values.vendor === '' ? { vendor: messages.vendorMissing } : {}
  const errors = findCredentialErrors(vendor, trimValues(values)).filter(({ field }) => !record || isEditable(field))
  return Object.fromEntries(
    errors.flatMap(({ field, reason }) =>
      reason === 'missing' ? [] : [[field.name, createErrorTexts(field.label)[reason]]],
    ),
  )
}

/** Returns whether all fields that depend on this one are fixed once saved. */
export const isFixedOnceSaved = (vendor: Vendor, { name }: Field): boolean => {
  const dependentFields = vendor.fields.filter(({ condition }) => condition !== undefined && name in condition)
  return dependentFields.length > 0 && dependentFields.every((field) => field.isImmutable || isSecret(field))
}

/** The fields that the form currently shows. */
export const listShownFields = (vendor: Vendor, values: CredentialValues): Field[] =>
  vendor.fields.filter((field) => isApplicable(field, trimValues(values)))

/** The columns that enable each direction. */
export { directionFlags }
