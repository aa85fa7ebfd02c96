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
import type { Faults } from '../../kit/form'
import { blankVoice, voiceValues, type VoiceValues } from './voice-values'

/** A service with its custom voices, as the form reads it. */
export type WholeService = SpeechCredential & { voices?: GoogleCustomVoice[] }

type Core = {
  vendor: string
  /** The name of a vendor that an installation adds. */
  vendor_name: string
  account_sid: string | null
  label: string
  use_for_tts: number
  use_for_stt: number
  use_custom_voices: number
  voices: VoiceValues[]
}

/** The form's values: the core, and every field of every vendor by its name. */
export type ServiceValues = Core & Record<string, unknown>

const isFlag = ({ kind }: Field) => kind === 'flag' || kind === 'tick'

/** A field as the form begins with it. */
const blankOf = (field: Field) => (isFlag(field) ? 0 : (field.initial ?? ''))

/** All fields that there are stand empty: a value of a vendor that is left must not be the next one's. */
const emptied = () =>
  Object.fromEntries(vendors.flatMap(({ fields }) => fields.map((field) => [field.name, isFlag(field) ? 0 : ''])))

/** What the form shows when a vendor is chosen: its own fields from the beginning, both directions that it has. */
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

/** The form's first values. `account_sid`: whose service a new one is. */
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

/** The description that the form follows; undefined until a vendor is chosen, and for one that nobody described. */
export const chosenVendor = ({ vendor }: Pick<Core, 'vendor'>): Vendor | undefined =>
  vendors.find((each) => each.vendor === vendor)

/** What the description's rules are asked of. A direction that the vendor has not is not used. */
export const givenOf = (values: CredentialValues): CredentialValues =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  )

/** The name under which the service is stored. */
const storedVendor = ({ vendor, vendor_name }: Core) =>
  chosenVendor({ vendor })?.isNamedByInstallation ? `${customPrefix}${vendor_name.trim()}` : vendor

const wireValue = (field: StoredField, value: unknown) => (field.kind === 'flag' ? Number(value) : value || null)

/** What a choice brings along: of what somebody typed there, nothing is known. */
const broughtBy = (field: StoredField, value: unknown) =>
  field.kind === 'choice' && value && field.options.some((offer) => offer.value === value) ? field.alsoSets : undefined

/** The value of each field by its name: of two fields of one name the one that is asked for. `before`: what is saved. */
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
    // a direction that is off keeps what it had: it may be switched on again
    if (isApplicable({ ...field, direction: undefined }, given))
      return [field.name, wireValue(field, given[field.name])]
    // other programs save more than this form asks for: it goes only with the answer that it hangs on
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

/** What travels of a new service: what there is of it. */
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

/** The secrets that have to be entered again, by name: an address was changed, to which they would be sent. */
export const wantedSecrets = (values: ServiceValues, before: SpeechCredential | undefined): string[] => {
  const vendor = chosenVendor(values)
  if (!vendor || !before) return []
  return secretsToReenter(vendor, before, changeable(vendor, values, before)).map(({ name }) => name)
}

/** What travels of a saved one: all that can be changed, because some servers drop what they are not told. */
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
  'host-port': messages.wrong.hostPort(label),
  url: messages.wrong.url(label),
  'host-port-or-url': messages.wrong.hostPortOrUrl(label),
  host: messages.wrong.host(label),
  json: messages.wrong.json(label),
  'service-key': messages.serviceKey,
})

/** The rules of the vendor, and that a vendor is chosen. What is missing, the fields say by themselves. */
export const serviceFaults = (values: ServiceValues, record: WholeService | undefined): Faults => {
  const vendor = chosenVendor(values)
  if (!vendor) return values.vendor === '' ? { vendor: messages.vendorMissing } : {}
  const faults = credentialErrors(vendor, givenOf(values)).filter(({ field }) => !record || isEditable(field))
  return Object.fromEntries(
    faults.flatMap(({ field, reason }) => (reason === 'missing' ? [] : [[field.name, sentences(field.label)[reason]]])),
  )
}

/** Does a question lead to nothing that could still be changed? */
export const isSettled = (vendor: Vendor, { name }: Field): boolean => {
  const led = vendor.fields.filter(({ when }) => when !== undefined && name in when)
  return led.length > 0 && led.every((field) => field.immutable || isSecret(field))
}

/** The fields that stand in the form now. */
export const shownFields = (vendor: Vendor, values: CredentialValues): Field[] =>
  vendor.fields.filter((field) => isApplicable(field, givenOf(values)))

/** The flag of a direction. */
export { directionFlag }
