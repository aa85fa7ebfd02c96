import { messages as bucket } from '@trunkline/contract/messages/bucket'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { findRefusal } from '@trunkline/contract/policy/refusal'
import {
  findCredentialErrors,
  isStored,
  isSecret,
  findServerIdentityField,
  isEditable,
  formatMissingFieldRefusal,
  packCredential,
  findSecretsToReenter,
  type CredentialError,
  type StoredField,
} from '@trunkline/contract/speech/credential'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { customPrefix, isCustomVendor, findVendorById } from '@trunkline/contract/speech/vendors'
import type { Row } from '../../db/repository-options'
import { checkSidFormat, passGate } from '../../http/gate'
import { badRequest, forbidden, notFound, refusalProblem, unprocessable } from '../../http/problem'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Accounts } from '../accounts/public'
import { isMasked, encryptCredential, presentField } from './credential-encryption'

interface AccountOwner {
  account_sid: string
  service_provider_sid: string
}

/** Checks access to an account's speech credentials and returns the account with its provider. */
export const accountGate =
  (accounts: Accounts) =>
  async (actor: Actor, action: Action, account_sid: string): Promise<AccountOwner> => {
    checkSidFormat(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, action, 'speech_credential', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return { account_sid, service_provider_sid }
  }

/** Users of a provider and of its accounts may access its speech credentials. */
export const providerGate = (actor: Actor, service_provider_sid: string): void => {
  if (can(actor, 'read', 'service_provider', { service_provider_sid, account_sid: null })) return
  throw refusalProblem(findRefusal('speech_credential', 'list', actor.scope))
}

/** Whether a record belongs to this provider or to one of its accounts. */
export const isInProvider =
  (service_provider_sid: string) =>
  (owner: Owner): boolean =>
    owner.service_provider_sid === service_provider_sid

/** The vendor of a draft. Throws 400 if it is unknown, or custom without a name. */
export const findVendor = (vendor: string): Vendor => {
  const descriptor = findVendorById(vendor)
  if (!descriptor || (isCustomVendor(vendor) && vendor === customPrefix))
    throw badRequest(`invalid or missing vendor: ${vendor}`, 'vendor')
  return descriptor
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

const errorMessage = (vendor: Vendor, { field, reason }: CredentialError): string => {
  const { name } = field
  const reasonMessages: Record<CredentialError['reason'], string> = {
    missing: formatMissingFieldRefusal(vendor, field),
    'host-port': messages.invalid.hostPort(name),
    url: messages.invalid.url(name),
    'host-port-or-url': messages.invalid.hostPortOrUrl(name),
    host: messages.invalid.host(name),
    json: messages.invalid.json(name),
    'service-key': 'invalid google service account key - not JSON',
  }
  return reasonMessages[reason]
}

/** Throws the first error of a credential. Errors that it already had are ignored. */
const checkFields = (vendor: Vendor, updated: Row, current?: Row): void => {
  const currentErrors = current ? findCredentialErrors(vendor, current, { allowsMissingFormFields: true }) : []
  const isKnown = (error: CredentialError) =>
    currentErrors.some(({ field, reason }) => field === error.field && reason === error.reason)
  const newError = findCredentialErrors(vendor, updated, { allowsMissingFormFields: true }).find(
    (error) => !isKnown(error),
  )
  if (newError) throw badRequest(errorMessage(vendor, newError), newError.field.name)
}

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)

/** Encrypts a credential. If it is too long, the error names its longest field. */
const encryptChecked = (vault: SecretEncryption, vendor: Vendor, fields: Row, otherFields: Row = {}): string => {
  const credential = encryptCredential(vault, vendor, { fields, otherFields })
  if (credential !== undefined) return credential
  const [longestField] = vendor.fields.toSorted((a, b) => lengthOf(fields[b.name]) - lengthOf(fields[a.name]))
  throw badRequest(messages.tooLong(longestField?.name ?? 'credential'), longestField?.name)
}

const storedFieldsOf = (vendor: Vendor): StoredField[] => vendor.fields.filter(isStored)

/**
 * The server's own AWS identity may reach services of others, so only administrators may use it in a credential. Later
 * updates cannot introduce it.
 */
const checkIdentity = (vendor: Vendor, values: Row, { scope }: Actor): void => {
  const field = findServerIdentityField(vendor, values)
  if (field && scope !== 'admin') throw forbidden(bucket.instanceProfile, field.name)
}

/** The encrypted column of a new credential. */
export const encryptDraft = (vault: SecretEncryption, vendor: Vendor, draft: Row, actor: Actor): string => {
  const fields = storedFieldsOf(vendor)
  const maskedField = fields.find((field) => isMasked(field, draft[field.name]))
  if (maskedField) throw badRequest(messages.masked(maskedField.name), maskedField.name)
  const values = Object.fromEntries(fields.map(({ name }): [string, unknown] => [name, draft[name]]))
  checkFields(vendor, { use_for_tts: draft.use_for_tts, use_for_stt: draft.use_for_stt, ...values })
  checkIdentity(vendor, values, actor)
  return encryptChecked(vault, vendor, values)
}

/**
 * Throws if the body changes a field that identifies the credential. Unchanged and empty values are allowed, because
 * some clients send them.
 */
export const checkImmutable = (stored: Row, body: Row): void => {
  const changed = ['vendor', 'label', 'account_sid'].find((name) => !isBlank(body[name]) && body[name] !== stored[name])
  if (changed) throw badRequest(messages.immutable(changed), changed)
}

/** Throws if the body changes an immutable field. Unchanged and masked values are allowed. */
const checkFixedField = (field: StoredField, value: unknown, current: Row): void => {
  if (isEditable(field) || isBlank(value)) return
  const currentValue = current[field.name]
  if (
    value === currentValue ||
    value === presentField(field, currentValue) ||
    (isSecret(field) && isMasked(field, value))
  )
    return
  throw badRequest(messages.immutable(field.name), field.name)
}

/**
 * Refuses a changed URL unless the body repeats the secrets: the vendor at the new URL would receive a secret that the
 * editor may not know.
 */
const checkAddresses = (vendor: Vendor, current: Row, updated: Row, body: Row): void => {
  const requiredSecret = findSecretsToReenter(vendor, current, updated).find(({ name }) => body[name] !== current[name])
  if (requiredSecret) throw unprocessable(messages.reenterSecret(requiredSecret.name), requiredSecret.name)
}

/** A form for comparison: a flag may be stored as a number or a boolean, and one that is off may be absent. */
const comparableForm = (vendor: Vendor, fields: Row): string => {
  const parts = Object.entries(packCredential(vendor, fields)).filter(([, value]) => value !== false && value !== 0)
  return JSON.stringify(parts.map(([name, value]) => [name, value === true ? 1 : value]))
}

const isSame = (vendor: Vendor, current: Row, updated: Row): boolean =>
  comparableForm(vendor, current) === comparableForm(vendor, updated)

/**
 * The encrypted column of an updated credential. Undefined if the body changes nothing. Fields that the body does not
 * contain keep their values, and so do fields that other programs stored.
 */
export const encryptChanges = (
  vault: SecretEncryption,
  vendor: Vendor | undefined,
  stored: { fields: Row | undefined; otherFields: Row; use_for_tts: number; use_for_stt: number },
  body: Row,
): string | undefined => {
  if (!vendor) return undefined
  const suppliedFields = storedFieldsOf(vendor).filter(({ name }) => body[name] !== undefined)
  const { fields: current, use_for_tts, use_for_stt } = stored
  if (!current) {
    if (suppliedFields.some(isEditable)) throw unprocessable(messages.unreadable)
    return undefined
  }
  for (const field of suppliedFields) checkFixedField(field, body[field.name], current)
  const changed = suppliedFields.filter(isEditable)
  const updated = { ...current, ...Object.fromEntries(changed.map(({ name }) => [name, body[name]])) }
  const flags = { use_for_tts: body.use_for_tts ?? use_for_tts, use_for_stt: body.use_for_stt ?? use_for_stt }
  checkFields(vendor, { ...updated, ...flags }, { ...current, use_for_tts, use_for_stt })
  checkAddresses(vendor, current, updated, body)
  return isSame(vendor, current, updated) ? undefined : encryptChecked(vault, vendor, updated, stored.otherFields)
}
