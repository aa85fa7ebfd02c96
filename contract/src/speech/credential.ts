import { serviceKeyFault } from '../cloud/service-key'
import type { AddressForm, Direction, Condition, Field, Given, Vendor, WayField } from './vendor'

/** The flag of a credential that says whether it is used in a direction. */
export const flagOf = { synthesis: 'use_for_tts', recognition: 'use_for_stt' } as const satisfies Record<
  Direction,
  string
>

export type KeptField = Exclude<Field, { kind: 'way' | 'tick' }>

/** Is this a part of the credential, rather than a question that only leads to others? */
export const isKept = (field: Field): field is KeptField => field.kind !== 'way' && field.kind !== 'tick'

/** Is it never shown in full once it is saved? */
export const isSecret = (field: Field): boolean => field.kind === 'secret' || field.kind === 'service-key'

/** May it be changed in a saved credential? */
export const mayChange = (field: Field): boolean => isKept(field) && !field.fixed && !isSecret(field)

const isBlank = (value: unknown) => value === undefined || value === null || value === '' || value === false

const equals = (value: unknown, wanted: string | 0 | 1): boolean => {
  if (wanted === '' || wanted === 0) return isBlank(value) || value === 0
  return wanted === 1 ? value === 1 || value === true : value === wanted
}

const holds = (condition: Condition, given: Given): boolean =>
  Object.entries(condition).every(([name, wanted]) => equals(given[name], wanted))

/** What is given, with the answers to the questions that are told from it. One that is given already stays. */
export const completed = (vendor: Vendor, given: Given): Given => {
  const told = vendor.fields
    .filter((field) => field.kind === 'way' || field.kind === 'tick')
    .map(({ name, told }): [string, unknown] => {
      const answer = told(given)
      return [name, typeof answer === 'boolean' ? Number(answer) : answer]
    })
  return { ...Object.fromEntries(told), ...given }
}

/** The question to which the answer is the server's own identity, where a credential with these parts gives it. */
export const lentBy = (vendor: Vendor, given: Given): WayField | undefined => {
  const whole = completed(vendor, given)
  return vendor.fields
    .filter((field) => field.kind === 'way')
    .find(({ name, lent }) => lent !== undefined && whole[name] === lent)
}

/** Does a credential with these parts have this field? A direction that nothing is said of is used. */
export const isAsked = (field: Field, given: Given): boolean => {
  if (field.direction && given[flagOf[field.direction]] !== undefined && equals(given[flagOf[field.direction]], 0))
    return false
  return !field.when || holds(field.when, given)
}

/** Must this field be there? */
export const isRequired = (field: Field, given: Given): boolean =>
  isAsked(field, given) && (field.required === true || (field.required !== undefined && holds(field.required, given)))

/** What is wrong with a field. */
export interface Fault {
  field: KeptField
  why: 'missing' | AddressForm | 'json' | 'service-key'
}

const isHostPort = (text: string): boolean => {
  const port = /^(?:[a-z]+:\/\/)?(?:[\w.-]+|\[[\da-f:.]+\]):(\d{1,5})$/i.exec(text)?.[1]
  return port !== undefined && Number(port) <= 65_535
}

const isUrl = (text: string): boolean => /^(?:https?|wss?):\/\//i.test(text) && URL.canParse(text)

const isHost = (text: string): boolean =>
  /^(?:(?:https?|wss?):\/\/)?(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/\S*)?$/i.test(text)

const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

const forms: Record<AddressForm, (text: string) => boolean> = {
  'host-port': isHostPort,
  url: isUrl,
  'host-port-or-url': (text) => isHostPort(text) || isHttpUrl(text),
  host: isHost,
}

const formOf = (field: Field): AddressForm | undefined => ('form' in field ? field.form : undefined)

/** Is this one of the servers that the vendor runs? Nothing at all leads to one of them. */
const isVendors = (fields: readonly Field[], value: unknown): boolean =>
  isBlank(value) || fields.some((field) => field.kind === 'choice' && field.options.some((own) => own.value === value))

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

/** What is wrong with the form of a value that is there. */
const misformed = (field: KeptField, value: string): Fault['why'] | undefined => {
  if (field.kind === 'json') return isJsonObject(value) ? undefined : 'json'
  if (field.kind === 'service-key') return serviceKeyFault(value) ? 'service-key' : undefined
  const form = formOf(field)
  if (!form || (field.kind === 'choice' && isVendors([field], value))) return undefined
  return forms[form](value) ? undefined : form
}

const faultOf = (field: KeptField, given: Given): Fault | undefined => {
  const value = given[field.name]
  if (isBlank(value)) return isRequired(field, given) ? { field, why: 'missing' } : undefined
  const why = typeof value === 'string' ? misformed(field, value) : undefined
  return why && { field, why }
}

/** All that is wrong with a credential as it is given, in the order of its fields. Of a patient field nothing is missing unless asked. */
export const faultsOf = (vendor: Vendor, given: Given, { patient = false } = {}): Fault[] => {
  const whole = completed(vendor, given)
  return vendor.fields
    .filter(isKept)
    .filter((field) => isAsked(field, whole))
    .map((field) => faultOf(field, whole))
    .filter((fault) => fault !== undefined)
    .filter(({ field, why }) => !(patient && why === 'missing' && field.patient))
}

/**
 * The secrets that a change would send to an address where they have not been before, other than the vendor's own. They stay
 * where they are unless whoever changes the address knows them: else a key that is shown to nobody would be had by asking
 * one's own server to be tested with it.
 */
export const secretsWanted = (vendor: Vendor, before: Given, after: Given): KeptField[] => {
  const addresses = vendor.fields.filter((field) => formOf(field) !== undefined)
  const moved = addresses.some(({ name }) => {
    const same = vendor.fields.filter((field) => field.name === name)
    return (before[name] ?? '') !== (after[name] ?? '') && !isVendors(same, after[name])
  })
  return moved ? vendor.fields.filter(isKept).filter((field) => isSecret(field) && !isBlank(before[field.name])) : []
}

/** What the interface says of a part that is missing. */
export const missingOnWire = (vendor: Vendor, field: Field): string =>
  field.missing ?? `invalid ${vendor.called ?? vendor.vendor} speech credential: ${field.name} is required`

const parts = (text: unknown): Record<string, unknown> =>
  typeof text === 'string' ? (JSON.parse(text) as Record<string, unknown>) : {}

const packed = (field: KeptField, value: unknown): Record<string, unknown> => {
  if (field.kind === 'service-key') return parts(value)
  // Clients read a flag back in the type in which they sent it, and a false one is not an absent one.
  if (field.kind === 'flag') return value === undefined || value === null ? {} : { [field.name]: value }
  if (!isBlank(value)) return { [field.name]: value }
  return 'absent' in field && field.absent !== undefined ? { [field.name]: field.absent } : {}
}

/** The credential as the platform keeps it, before it is encrypted: the parts that are there. The values must be without faults. */
export const packCredential = (vendor: Vendor, given: Given): Record<string, unknown> =>
  Object.assign({}, ...vendor.fields.filter(isKept).map((field) => packed(field, given[field.name]))) as Record<
    string,
    unknown
  >

/** A kept credential, taken apart. */
export interface Unpacked {
  /** By the names of the description. What no field names belongs to the service key, where there is one. */
  fields: Record<string, unknown>
  /** What no field names, where there is no such key: other programs know of more. */
  others: Record<string, unknown>
}

export const unpackCredential = (vendor: Vendor, stored: Record<string, unknown>): Unpacked => {
  const kept = vendor.fields.filter(isKept)
  const key = kept.find(({ kind }) => kind === 'service-key')
  const names = new Set(kept.map(({ name }) => name))
  const named = Object.fromEntries(Object.entries(stored).filter(([name]) => names.has(name)))
  const others = Object.fromEntries(Object.entries(stored).filter(([name]) => !names.has(name)))
  if (!key || Object.keys(others).length === 0) return { fields: named, others }
  return { fields: { [key.name]: JSON.stringify(others), ...named }, others: {} }
}
