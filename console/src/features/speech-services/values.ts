import { messages } from '@trunkline/contract/messages/speech-credential'
import type { GoogleCustomVoice } from '@trunkline/contract/shapes/google-custom-voice'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import {
  withDerivedAnswers,
  credentialErrors,
  directionFlag,
  isApplicable,
  isStored,
  isSecret,
  isEditable,
  secretsToReenter,
  type CredentialError,
  type StoredField,
} from '@trunkline/contract/speech/credential'
import type { Field, CredentialValues, Vendor } from '@trunkline/contract/speech/vendor'
import { customPrefix, isCustomVendor, vendorOf } from '@trunkline/contract/speech/vendors'
import { vendors } from '@trunkline/contract/speech/vendors/all'
import type { FieldErrors } from '../../kit/form/form'
import { blankVoice, voiceValues, type VoiceValues } from './voice-values'

/** A service with its custom voices, as the form reads it. */
export type WholeService = SpeechCredential & { voices?: GoogleCustomVoice[] }

type Core = {
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
export type ServiceValues = Core & Record<string, unknown>

const isFlag = ({ kind }: Field) => kind === 'flag' || kind === 'tick'

/** The initial value of a field. */
const blankOf = (field: Field) => (isFlag(field) ? 0 : (field.initial ?? ''))

/** Empties all fields of all vendors, so that no value carries over to another vendor. */
const emptied = () =>
  Object.fromEntries(vendors.flatMap(({ fields }) => fields.map((field) => [field.name, isFlag(field) ? 0 : ''])))

/** The form values after a vendor is selected: its defaults, with all its directions on. */
export const valuesFor = (vendor: Vendor | undefined): Record<string, unknown> => ({
  ...emptied(),
  ...Object.fromEntries(vendor?.fields.map((field) => [field.name, blankOf(field)]) ?? []),
  use_for_tts: Number(Boolean(vendor?.synthesis)),
  use_for_stt: Number(Boolean(vendor?.recognition)),
})

const shownOf = (vendor: Vendor, row: SpeechCredential): Record<string, unknown> => {
  const whole = withDerivedAnswers(vendor, row)
  const value = (field: Field) =>
    isFlag(field) ? Number(whole[field.name] === 1 || whole[field.name] === true) : (whole[field.name] ?? '')
  return Object.fromEntries(vendor.fields.map((field) => [field.name, value(field)]))
}

const blank = (account_sid: string | null): Core => ({
  vendor: '',
  vendor_name: '',
  account_sid,
  label: '',
  use_for_tts: 0,
  use_for_stt: 0,
  use_custom_voices: 0,
  voices: [blankVoice()],
})

/** The form's initial values. `account_sid`: the owner of a new service. */
export const serviceValues = (row: WholeService | undefined, account_sid: string | null): ServiceValues => {
  if (!row) return { ...emptied(), ...blank(account_sid) }
  const vendor = vendorOf(row.vendor)
  const voices = row.voices ?? []
  return {
    ...valuesFor(vendor),
    ...(vendor ? shownOf(vendor, row) : {}),
    vendor: vendor?.vendor ?? row.vendor,
    vendor_name: isCustomVendor(row.vendor) ? row.vendor.slice(customPrefix.length) : '',
    account_sid: row.account_sid,
    label: row.label ?? '',
    use_for_tts: row.use_for_tts ?? 1,
    use_for_stt: row.use_for_stt ?? 1,
    use_custom_voices: Number(voices.length > 0),
    voices: voices.length > 0 ? voices.map(voiceValues) : [blankVoice()],
  }
}

/** The vendor's description; undefined until one is selected, and for an unknown vendor. */
export const chosenVendor = ({ vendor }: Pick<Core, 'vendor'>): Vendor | undefined =>
  vendors.find((each) => each.vendor === vendor)

/** The trimmed values that the description's rules validate. */
export const givenOf = (values: CredentialValues): CredentialValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

/** The vendor name to store. */
const storedVendor = ({ vendor, vendor_name }: Core) =>
  chosenVendor({ vendor })?.isNamedByInstallation ? `${customPrefix}${vendor_name.trim()}` : vendor

const wireValue = (field: StoredField, value: unknown) => (field.kind === 'flag' ? Number(value) : value || null)

/** The columns that the selected option sets as well. A typed value sets none. */
const broughtBy = (field: StoredField, value: unknown) =>
  field.kind === 'choice' && value && field.options.some((offer) => offer.value === value) ? field.alsoSets : undefined

/**
 * Returns the value of each field by name. If two fields share a name, the applicable one wins. `before`: the stored
 * service.
 */
const fieldsOf = (
  vendor: Vendor,
  values: ServiceValues,
  which: (field: StoredField) => boolean,
  before?: SpeechCredential,
) => {
  const given = givenOf(values)
  const stored = before ? withDerivedAnswers(vendor, before) : {}
  const fields = vendor.fields.filter(isStored).filter(which)
  const isShown = (field: StoredField) => isApplicable(field, given)
  const all = fields.map((field): [string, unknown] => {
    // a disabled direction keeps its values, for when it is enabled again
    if (isApplicable({ ...field, direction: undefined }, given))
      return [field.name, wireValue(field, given[field.name])]
    // keeps stored columns that the form does not show, as long as the answers that they depend on are unchanged
    const stays = Object.keys(field.when ?? {}).every((name) => (stored[name] ?? 0) === given[name])
    const value = stays ? stored[field.name] : undefined
    return [field.name, value === undefined || value === null ? null : wireValue(field, value)]
  })
  const shown = fields
    .filter(isShown)
    .map((field): [string, unknown] => [field.name, wireValue(field, given[field.name])])
  const brought = fields.filter(isShown).map((field) => broughtBy(field, given[field.name]))
  return Object.assign({}, Object.fromEntries(all), Object.fromEntries(shown), ...brought) as Record<string, unknown>
}

const flagsOf = ({ use_for_tts, use_for_stt }: Core) => ({ use_for_tts, use_for_stt })

/** The body of a new service: only the fields that have a value. */
export const draftOf = (values: ServiceValues): Record<string, unknown> => {
  const vendor = chosenVendor(values)
  const fields = vendor ? fieldsOf(vendor, values, (field) => isApplicable(field, givenOf(values))) : {}
  return {
    vendor: storedVendor(values),
    account_sid: values.account_sid,
    label: values.label.trim() || null,
    ...flagsOf(values),
    ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)),
  }
}

const changeable = (vendor: Vendor, values: ServiceValues, before: SpeechCredential | undefined) =>
  fieldsOf(vendor, values, isEditable, before)

/** The names of the secrets that must be entered again, because the URL that receives them has changed. */
export const wantedSecrets = (values: ServiceValues, before: SpeechCredential | undefined): string[] => {
  const vendor = chosenVendor(values)
  if (!vendor || !before) return []
  return secretsToReenter(vendor, before, changeable(vendor, values, before)).map(({ name }) => name)
}

/** The body of an update: every column that can change, because some servers reset missing ones. */
export const changesOf = (values: ServiceValues, before: SpeechCredential | undefined): Record<string, unknown> => {
  const vendor = chosenVendor(values)
  const again = wantedSecrets(values, before).filter((name) => values[name])
  return {
    ...flagsOf(values),
    ...(vendor ? changeable(vendor, values, before) : {}),
    ...Object.fromEntries(again.map((name) => [name, values[name]])),
  }
}

const sentences = (label: string): Record<Exclude<CredentialError['reason'], 'missing'>, string> => ({
  'host-port': messages.invalid.hostPort(label),
  url: messages.invalid.url(label),
  'host-port-or-url': messages.invalid.hostPortOrUrl(label),
  host: messages.invalid.host(label),
  json: messages.invalid.json(label),
  'service-key': messages.serviceKey,
})

/** Validates the vendor's rules, and that a vendor is selected. The fields report missing values themselves. */
export const serviceFaults = (values: ServiceValues, record: WholeService | undefined): FieldErrors => {
  const vendor = chosenVendor(values)
  if (!vendor) return values.vendor === '' ? { vendor: messages.vendorMissing } : {}
  const faults = credentialErrors(vendor, givenOf(values)).filter(({ field }) => !record || isEditable(field))
  return Object.fromEntries(
    faults.flatMap(({ field, reason }) => (reason === 'missing' ? [] : [[field.name, sentences(field.label)[reason]]])),
  )
}

/** Returns whether all fields that depend on this one are fixed once saved. */
export const isSettled = (vendor: Vendor, { name }: Field): boolean => {
  const led = vendor.fields.filter(({ when }) => when !== undefined && name in when)
  return led.length > 0 && led.every((field) => field.immutable || isSecret(field))
}

/** The fields that the form currently shows. */
export const shownFields = (vendor: Vendor, values: CredentialValues): Field[] =>
  vendor.fields.filter((field) => isApplicable(field, givenOf(values)))

/** The column that enables a direction. */
export { directionFlag }
