import { serviceKeyError } from '../cloud/service-key'
import type { AddressForm, Direction, Condition, Field, CredentialValues, Vendor, ModeField } from './vendor'

/** The flag of a credential that says whether it is used in a direction. */
export const directionFlag = { synthesis: 'use_for_tts', recognition: 'use_for_stt' } as const satisfies Record<
  Direction,
  string
>

export type StoredField = Exclude<Field, { kind: 'way' | 'tick' }>

/** Is this a part of the credential, rather than a question that only leads to others? */
export const isStored = (field: Field): field is StoredField => field.kind !== 'way' && field.kind !== 'tick'

/** Is it never shown in full once it is saved? */
export const isSecret = (field: Field): boolean => field.kind === 'secret' || field.kind === 'service-key'

/** May it be changed in a saved credential? */
export const isEditable = (field: Field): boolean => isStored(field) && !field.immutable && !isSecret(field)

const isBlank = (value: unknown) => value === undefined || value === null || value === '' || value === false

const equals = (value: unknown, expected: string | 0 | 1): boolean => {
  if (expected === '' || expected === 0) return isBlank(value) || value === 0
  return expected === 1 ? value === 1 || value === true : value === expected
}

const isMet = (condition: Condition, values: CredentialValues): boolean =>
  Object.entries(condition).every(([name, expected]) => equals(values[name], expected))

/** What is given, with the answers to the questions that are told from it. One that is given already stays. */
export const withDerivedAnswers = (vendor: Vendor, values: CredentialValues): CredentialValues => {
  const answers = vendor.fields
    .filter((field) => field.kind === 'way' || field.kind === 'tick')
    .map(({ name, derive }): [string, unknown] => {
      const answer = derive(values)
      return [name, typeof answer === 'boolean' ? Number(answer) : answer]
    })
  return { ...Object.fromEntries(answers), ...values }
}

/** The question to which the answer is the server's own identity, where a credential with these parts gives it. */
export const serverIdentityField = (vendor: Vendor, values: CredentialValues): ModeField | undefined => {
  const complete = withDerivedAnswers(vendor, values)
  return vendor.fields
    .filter((field) => field.kind === 'way')
    .find(({ name, serverIdentity }) => serverIdentity !== undefined && complete[name] === serverIdentity)
}

/** Does a credential with these parts have this field? A direction that nothing is said of is used. */
export const isApplicable = (field: Field, values: CredentialValues): boolean => {
  if (
    field.direction &&
    values[directionFlag[field.direction]] !== undefined &&
    equals(values[directionFlag[field.direction]], 0)
  )
    return false
  return !field.when || isMet(field.when, values)
}

/** Must this field be there? */
export const isRequired = (field: Field, values: CredentialValues): boolean =>
  isApplicable(field, values) &&
  (field.required === true || (field.required !== undefined && isMet(field.required, values)))

/** What is wrong with a field. */
export interface CredentialError {
  field: StoredField
  reason: 'missing' | AddressForm | 'json' | 'service-key'
}

const isHostPort = (text: string): boolean => {
  const port = /^(?:[a-z]+:\/\/)?(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text)?.[1]
  return port !== undefined && Number(port) <= 65_535
}

const isUrl = (text: string): boolean => /^(?:https?|wss?):\/\//i.test(text) && URL.canParse(text)

const isHost = (text: string): boolean =>
  /^(?:(?:https?|wss?):\/\/)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/\S*)?$/i.test(text)

const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

const addressChecks: Record<AddressForm, (text: string) => boolean> = {
  'host-port': isHostPort,
  url: isUrl,
  'host-port-or-url': (text) => isHostPort(text) || isHttpUrl(text),
  host: isHost,
}

const addressFormOf = (field: Field): AddressForm | undefined => ('form' in field ? field.form : undefined)

/** Is this one of the servers that the vendor runs? Nothing at all leads to one of them. */
const isVendorAddress = (fields: readonly Field[], value: unknown): boolean =>
  isBlank(value) ||
  fields.some((field) => field.kind === 'choice' && field.options.some((option) => option.value === value))

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** What is wrong with the form of a value that is there. */
const formatError = (field: StoredField, value: string): CredentialError['reason'] | undefined => {
  if (field.kind === 'json') return isJsonObject(value) ? undefined : 'json'
  if (field.kind === 'service-key') return serviceKeyError(value) ? 'service-key' : undefined
  const form = addressFormOf(field)
  if (!form || (field.kind === 'choice' && isVendorAddress([field], value))) return undefined
  return addressChecks[form](value) ? undefined : form
}

const findError = (field: StoredField, values: CredentialValues): CredentialError | undefined => {
  const value = values[field.name]
  if (isBlank(value)) return isRequired(field, values) ? { field, reason: 'missing' } : undefined
  const reason = typeof value === 'string' ? formatError(field, value) : undefined
  return reason && { field, reason }
}

/** All that is wrong with a credential as it is given, in the order of its fields. Of a patient field nothing is missing unless asked. */
export const credentialErrors = (
  vendor: Vendor,
  values: CredentialValues,
  { patient: isLenient = false } = {},
): CredentialError[] => {
  const complete = withDerivedAnswers(vendor, values)
  return vendor.fields
    .filter(isStored)
    .filter((field) => isApplicable(field, complete))
    .map((field) => findError(field, complete))
    .filter((error) => error !== undefined)
    .filter(({ field, reason }) => !(isLenient && reason === 'missing' && field.requiredInFormOnly))
}

/**
 * The secrets that a change would send to an address where they have not been before, other than the vendor's own. They stay
 * where they are unless whoever changes the address knows them: else a key that is shown to nobody would be had by asking
 * one's own server to be tested with it.
 */
export const secretsToReenter = (
  vendor: Vendor,
  stored: CredentialValues,
  changed: CredentialValues,
): StoredField[] => {
  const addresses = vendor.fields.filter((field) => addressFormOf(field) !== undefined)
  const hasMoved = addresses.some(({ name }) => {
    const sameName = vendor.fields.filter((field) => field.name === name)
    return (stored[name] ?? '') !== (changed[name] ?? '') && !isVendorAddress(sameName, changed[name])
  })
  return hasMoved
    ? vendor.fields.filter(isStored).filter((field) => isSecret(field) && !isBlank(stored[field.name]))
    : []
}

/** What the interface says of a part that is missing. */
export const missingFieldRefusal = (vendor: Vendor, field: Field): string =>
  field.missing ?? `invalid ${vendor.wireName ?? vendor.vendor} speech credential: ${field.name} is required`

const parseKey = (text: unknown): Record<string, unknown> =>
  typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : {}

const packField = (field: StoredField, value: unknown): Record<string, unknown> => {
  if (field.kind === 'service-key') return parseKey(value)
  // Clients read a flag back in the type in which they sent it, and a false one is not an absent one.
  if (field.kind === 'flag') return value === undefined || value === null ? {} : { [field.name]: value }
  if (!isBlank(value)) return { [field.name]: value }
  return 'emptyValue' in field && field.emptyValue !== undefined ? { [field.name]: field.emptyValue } : {}
}

/** The credential as the platform keeps it, before it is encrypted: the parts that are there. The values must be without faults. */
export const packCredential = (vendor: Vendor, values: CredentialValues): Record<string, unknown> =>
  Object.assign({}, ...vendor.fields.filter(isStored).map((field) => packField(field, values[field.name]))) as Record<
    string,
    unknown
  >

/** A kept credential, taken apart. */
export interface UnpackedCredential {
  /** By the names of the description. What no field names belongs to the service key, where there is one. */
  fields: Record<string, unknown>
  /** What no field names, where there is no such key: other programs know of more. */
  others: Record<string, unknown>
}

export const unpackCredential = (vendor: Vendor, stored: Record<string, unknown>): UnpackedCredential => {
  const storedFields = vendor.fields.filter(isStored)
  const key = storedFields.find(({ kind }) => kind === 'service-key')
  const names = new Set(storedFields.map(({ name }) => name))
  const knownFields = Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name)))
  const others = Object.fromEntries(Object.entries(stored).filter(([name]) => !names.has(name)))
  if (!key || Object.keys(others).length === 0) return { fields: knownFields, others }
  return { fields: { [key.name]: JSON.stringify(others), ...knownFields }, others: {} }
}
