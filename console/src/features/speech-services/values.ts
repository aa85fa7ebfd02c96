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
import { newVoice, voiceValues, type VoiceValues } from './voice-values'

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
const initialValue = (field: Field) => (isFlag(field) ? 0 : (field.initialValue ?? ''))

/** Empties all fields of all vendors, so that no value carries over to another vendor. */
const emptyValues = () =>
  Object.fromEntries(vendors.flatMap(({ fields }) => fields.map((field) => [field.name, isFlag(field) ? 0 : ''])))

/** The form values after a vendor is selected: its defaults, with all its directions on. */
export const vendorDefaults = (vendor: Vendor | undefined): Record<string, unknown> => ({
  ...emptyValues(),
  ...Object.fromEntries(vendor?.fields.map((field) => [field.name, initialValue(field)]) ?? []),
  use_for_tts: Number(Boolean(vendor?.synthesis)),
  use_for_stt: Number(Boolean(vendor?.recognition)),
})

const storedValues = (vendor: Vendor, row: SpeechCredential): Record<string, unknown> => {
  const answers = addDerivedValues(vendor, row)
  const value = (field: Field) =>
    isFlag(field) ? Number(answers[field.name] === 1 || answers[field.name] === true) : (answers[field.name] ?? '')
  return Object.fromEntries(vendor.fields.map((field) => [field.name, value(field)]))
}

const newService = (account_sid: string | null): CoreValues => ({
  vendor: '',
  vendor_name: '',
  account_sid,
  label: '',
  use_for_tts: 0,
  use_for_stt: 0,
  use_custom_voices: 0,
  voices: [newVoice()],
})

/** The form's initial values. `account_sid`: the owner of a new service. */
export const serviceValues = (row: ServiceWithVoices | undefined, account_sid: string | null): ServiceValues => {
  if (!row) return { ...emptyValues(), ...newService(account_sid) }
  const vendor = findVendorById(row.vendor)
  const voices = row.voices ?? []
  return {
    ...vendorDefaults(vendor),
    ...(vendor ? storedValues(vendor, row) : {}),
    vendor: vendor?.vendor ?? row.vendor,
    vendor_name: isCustomVendor(row.vendor) ? row.vendor.slice(customPrefix.length) : '',
    account_sid: row.account_sid,
    label: row.label ?? '',
    use_for_tts: row.use_for_tts ?? 1,
    use_for_stt: row.use_for_stt ?? 1,
    use_custom_voices: Number(voices.length > 0),
    voices: voices.length > 0 ? voices.map(voiceValues) : [newVoice()],
  }
}

/** The vendor's description; undefined until one is selected, and for an unknown vendor. */
export const selectedVendor = ({ vendor }: Pick<CoreValues, 'vendor'>): Vendor | undefined =>
  vendors.find((candidate) => candidate.vendor === vendor)

/** The trimmed values that the description's rules validate. */
export const trimValues = (values: CredentialValues): CredentialValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

/** The vendor name to store. */
const storedVendor = ({ vendor, vendor_name }: CoreValues) =>
  selectedVendor({ vendor })?.isNamedByInstallation ? `${customPrefix}${vendor_name.trim()}` : vendor

const wireValue = (field: StoredField, value: unknown) => (field.kind === 'flag' ? Number(value) : value || null)

/** The columns that the selected option sets as well. A typed value sets none. */
const columnsSetBy = (field: StoredField, value: unknown) =>
  field.kind === 'choice' && value && field.options.some((option) => option.value === value)
    ? field.impliedValues
    : undefined

/**
 * Returns the value of each field by name. If two fields share a name, the applicable one wins. `storedRow`: the stored
 * service.
 */
const fieldsOf = (
  vendor: Vendor,
  values: ServiceValues,
  isIncluded: (field: StoredField) => boolean,
  storedRow?: SpeechCredential,
) => {
  const trimmed = trimValues(values)
  const stored = storedRow ? addDerivedValues(vendor, storedRow) : {}
  const fields = vendor.fields.filter(isStored).filter(isIncluded)
  const isShown = (field: StoredField) => isApplicable(field, trimmed)
  const hiddenValues = fields.map((field): [string, unknown] => {
    // a disabled direction keeps its values, for when it is enabled again
    if (isApplicable({ ...field, direction: undefined }, trimmed))
      return [field.name, wireValue(field, trimmed[field.name])]
    // keeps stored columns that the form does not show, as long as the answers that they depend on are unchanged
    const isUnchanged = Object.keys(field.condition ?? {}).every((name) => (stored[name] ?? 0) === trimmed[name])
    const value = isUnchanged ? stored[field.name] : undefined
    return [field.name, value === undefined || value === null ? null : wireValue(field, value)]
  })
  const shownValues = fields
    .filter(isShown)
    .map((field): [string, unknown] => [field.name, wireValue(field, trimmed[field.name])])
  const alsoSet = fields.filter(isShown).map((field) => columnsSetBy(field, trimmed[field.name]))
  return Object.assign({}, Object.fromEntries(hiddenValues), Object.fromEntries(shownValues), ...alsoSet) as Record<
    string,
    unknown
  >
}

const flagsOf = ({ use_for_tts, use_for_stt }: CoreValues) => ({ use_for_tts, use_for_stt })

/** The body of a new service: only the fields that have a value. */
export const serviceDraft = (values: ServiceValues): Record<string, unknown> => {
  const vendor = selectedVendor(values)
  const fields = vendor ? fieldsOf(vendor, values, (field) => isApplicable(field, trimValues(values))) : {}
  return {
    vendor: storedVendor(values),
    account_sid: values.account_sid,
    label: values.label.trim() || null,
    ...flagsOf(values),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  }
}

const changeableColumns = (vendor: Vendor, values: ServiceValues, storedRow: SpeechCredential | undefined) =>
  fieldsOf(vendor, values, isEditable, storedRow)

/** The names of the secrets that must be entered again, because the URL that receives them has changed. */
export const secretsToEnterAgain = (values: ServiceValues, storedRow: SpeechCredential | undefined): string[] => {
  const vendor = selectedVendor(values)
  if (!vendor || !storedRow) return []
  return findSecretsToReenter(vendor, storedRow, changeableColumns(vendor, values, storedRow)).map(({ name }) => name)
}

/** The body of an update: every column that can change, because some servers reset missing ones. */
export const serviceChanges = (
  values: ServiceValues,
  storedRow: SpeechCredential | undefined,
): Record<string, unknown> => {
  const vendor = selectedVendor(values)
  const secretNames = secretsToEnterAgain(values, storedRow).filter((name) => values[name])
  return {
    ...flagsOf(values),
    ...(vendor ? changeableColumns(vendor, values, storedRow) : {}),
    ...Object.fromEntries(secretNames.map((name) => [name, values[name]])),
  }
}

const errorTexts = (label: string): Record<Exclude<CredentialError['reason'], 'missing'>, string> => ({
  'host-port': messages.invalid.hostPort(label),
  url: messages.invalid.url(label),
  'host-port-or-url': messages.invalid.hostPortOrUrl(label),
  host: messages.invalid.host(label),
  json: messages.invalid.json(label),
  'service-key': messages.serviceKey,
})

/** Validates the vendor's rules, and that a vendor is selected. The fields report missing values themselves. */
export const serviceErrors = (values: ServiceValues, record: ServiceWithVoices | undefined): FieldErrors => {
  const vendor = selectedVendor(values)
  if (!vendor) return values.vendor === '' ? { vendor: messages.vendorMissing } : {}
  const errors = findCredentialErrors(vendor, trimValues(values)).filter(({ field }) => !record || isEditable(field))
  return Object.fromEntries(
    errors.flatMap(({ field, reason }) =>
      reason === 'missing' ? [] : [[field.name, errorTexts(field.label)[reason]]],
    ),
  )
}

/** Returns whether all fields that depend on this one are fixed once saved. */
export const isFixedOnceSaved = (vendor: Vendor, { name }: Field): boolean => {
  const dependentFields = vendor.fields.filter(({ condition: when }) => when !== undefined && name in when)
  return dependentFields.length > 0 && dependentFields.every((field) => field.isImmutable || isSecret(field))
}

/** The fields that the form currently shows. */
export const shownFields = (vendor: Vendor, values: CredentialValues): Field[] =>
  vendor.fields.filter((field) => isApplicable(field, trimValues(values)))

/** The column that enables a direction. */
export { directionFlags }
