import { findServiceKeyError } from '../cloud/service-key'
import type { AddressFormat, Direction, Condition, Field, CredentialValues, Vendor, ModeField } from './vendor'

/** The flag of a credential for each direction. */
export const directionFlags = { synthesis: 'use_for_tts', recognition: 'use_for_stt' } as const satisfies Record<
  Direction,
  string
>

export type StoredField = Exclude<Field, { kind: 'mode' | 'checkbox' }>

/**
 * Whether the field is stored in the credential. Mode and checkbox fields only control which other fields are shown.
 */
export const isStored = (field: Field): field is StoredField => field.kind !== 'mode' && field.kind !== 'checkbox'

/** Whether the value is masked after saving. */
export const isSecret = (field: Field): boolean => field.kind === 'secret' || field.kind === 'service-key'

/** Whether the field can be changed after saving. */
export const isEditable = (field: Field): boolean => isStored(field) && !field.isImmutable && !isSecret(field)

const isBlank = (value: unknown) => value === undefined || value === null || value === '' || value === false

const isEqual = (value: unknown, expected: string | 0 | 1): boolean => {
  if (expected === '' || expected === 0) return isBlank(value) || value === 0
  return expected === 1 ? value === 1 || value === true : value === expected
}

const isMet = (condition: Condition, values: CredentialValues): boolean =>
  Object.entries(condition).every(([name, expected]) => isEqual(values[name], expected))

/** Adds the mode and checkbox values that follow from the stored values. Values that are already present win. */
export const addDerivedValues = (vendor: Vendor, values: CredentialValues): CredentialValues => {
  const derivedValues = vendor.fields
    .filter((field) => field.kind === 'mode' || field.kind === 'checkbox')
    .map(({ name, derive }): [string, unknown] => {
      const value = derive(values)
      return [name, typeof value === 'boolean' ? Number(value) : value]
    })
  return { ...Object.fromEntries(derivedValues), ...values }
}

/** The mode field that selects the server's own identity for this credential, if any. */
export const findServerIdentityField = (vendor: Vendor, values: CredentialValues): ModeField | undefined => {
  const allValues = addDerivedValues(vendor, values)
  return vendor.fields
    .filter((field) => field.kind === 'mode')
    .find(({ name, serverIdentity }) => serverIdentity !== undefined && allValues[name] === serverIdentity)
}

/** Whether a credential with these values has this field. A direction without a flag counts as used. */
export const isApplicable = (field: Field, values: CredentialValues): boolean => {
  if (
    field.direction &&
    values[directionFlags[field.direction]] !== undefined &&
    isEqual(values[directionFlags[field.direction]], 0)
  )
    return false
  return !field.condition || isMet(field.condition, values)
}

/** Whether the field is required in a credential with these values. */
export const isRequired = (field: Field, values: CredentialValues): boolean =>
  isApplicable(field, values) &&
  (field.required === true || (field.required !== undefined && isMet(field.required, values)))

/** The error of one field. */
export interface CredentialError {
  field: StoredField
  reason: 'missing' | AddressFormat | 'json' | 'service-key'
}

const isHostPort = (text: string): boolean => {
  const port = /^(?:(?:https?|wss?):\/\/)?(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text)?.[1]
  return port !== undefined && Number(port) <= 65_535
}

const isUrl = (text: string): boolean => /^(?:https?|wss?):\/\//i.test(text) && URL.canParse(text)

const isHost = (text: string): boolean =>
  /^(?:(?:https?|wss?):\/\/)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/\S*)?$/i.test(text)

const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

const addressChecks: Record<AddressFormat, (text: string) => boolean> = {
  'host-port': isHostPort,
  url: isUrl,
  'host-port-or-url': (text) => isHostPort(text) || isHttpUrl(text),
  host: isHost,
}

const getAddressFormat = (field: Field): AddressFormat | undefined =>
  'addressFormat' in field ? field.addressFormat : undefined

/** Whether the value is one of the vendor's own servers. A blank value means the vendor's default server. */
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

/** The format error of a value, if any. */
const findFormatError = (field: StoredField, value: string): CredentialError['reason'] | undefined => {
  if (field.kind === 'json') return isJsonObject(value) ? undefined : 'json'
  if (field.kind === 'service-key') return findServiceKeyError(value) ? 'service-key' : undefined
  const addressFormat = getAddressFormat(field)
  if (!addressFormat || (field.kind === 'choice' && isVendorAddress([field], value))) return undefined
  return addressChecks[addressFormat](value) ? undefined : addressFormat
}

const findError = (field: StoredField, values: CredentialValues): CredentialError | undefined => {
  const value = values[field.name]
  if (isBlank(value)) return isRequired(field, values) ? { field, reason: 'missing' } : undefined
  const reason = typeof value === 'string' ? findFormatError(field, value) : undefined
  return reason && { field, reason }
}

/**
 * The errors of a credential, in the order of its fields. With `allowsMissingFormFields`, fields that only the form requires may be
 * missing.
 */
export const findCredentialErrors = (
  vendor: Vendor,
  values: CredentialValues,
  { allowsMissingFormFields = false } = {},
): CredentialError[] => {
  const allValues = addDerivedValues(vendor, values)
  return vendor.fields
    .filter(isStored)
    .filter((field) => isApplicable(field, allValues))
    .map((field) => findError(field, allValues))
    .filter((error) => error !== undefined)
    .filter(({ field, reason }) => !(allowsMissingFormFields && reason === 'missing' && field.requiredInFormOnly))
}

/**
 * The secrets that must be entered again because the change would send them to a new address outside the vendor.
 * Without this check, a user could read a masked secret by pointing the credential at their own server and running a
 * test.
 */
export const findSecretsToReenter = (
  vendor: Vendor,
  storedValues: CredentialValues,
  changedValues: CredentialValues,
): StoredField[] => {
  const addresses = vendor.fields.filter((field) => getAddressFormat(field) !== undefined)
  const hasNewAddress = addresses.some(({ name }) => {
    const fieldsWithName = vendor.fields.filter((field) => field.name === name)
    return (
      (storedValues[name] ?? '') !== (changedValues[name] ?? '') &&
      !isVendorAddress(fieldsWithName, changedValues[name])
    )
  })
  return hasNewAddress
    ? vendor.fields.filter(isStored).filter((field) => isSecret(field) && !isBlank(storedValues[field.name]))
    : []
}

/** The API's message for a missing field. */
export const formatMissingFieldRefusal = (vendor: Vendor, field: Field): string =>
  field.missingMessage ?? `invalid ${vendor.wireName ?? vendor.vendor} speech credential: ${field.name} is required`

const parseKey = (text: unknown): Record<string, unknown> =>
  typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : {}

const packField = (field: StoredField, value: unknown): Record<string, unknown> => {
  if (field.kind === 'service-key') return parseKey(value)
  // Clients expect a flag back in the type that they sent, and false differs from absent.
  if (field.kind === 'flag') return value === undefined || value === null ? {} : { [field.name]: value }
  if (!isBlank(value)) return { [field.name]: value }
  return 'emptyValue' in field && field.emptyValue !== undefined ? { [field.name]: field.emptyValue } : {}
}

/** The credential as the platform stores it, before encryption, without blank fields. The values must be valid. */
export const packCredential = (vendor: Vendor, values: CredentialValues): Record<string, unknown> =>
  Object.assign({}, ...vendor.fields.filter(isStored).map((field) => packField(field, values[field.name]))) as Record<
    string,
    unknown
  >

/** A stored credential, split into fields. */
export interface UnpackedCredential {
  /** The known fields by name. If the vendor has a service key, unknown properties are part of it. */
  fields: Record<string, unknown>
  /** Unknown properties of a vendor without a service key: other programs may write them. */
  otherFields: Record<string, unknown>
}

export const unpackCredential = (vendor: Vendor, stored: Record<string, unknown>): UnpackedCredential => {
  const storedFields = vendor.fields.filter(isStored)
  const keyField = storedFields.find(({ kind }) => kind === 'service-key')
  const names = new Set(storedFields.map(({ name }) => name))
  const knownFields = Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name)))
  const unknownFields = Object.fromEntries(Object.entries(stored).filter(([name]) => !names.has(name)))
  if (!keyField || Object.keys(unknownFields).length === 0) return { fields: knownFields, otherFields: unknownFields }
  return { fields: { [keyField.name]: JSON.stringify(unknownFields), ...knownFields }, otherFields: {} }
}
