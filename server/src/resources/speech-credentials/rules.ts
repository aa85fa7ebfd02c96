import { messages as bucketMessages } from '@trunkline/contract/messages/bucket'
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
import { checkTenantSidFormat, checkTenantAccess } from '../../http/tenant-access'
import { badRequest, forbidden, notFound, refusalProblem, unprocessable } from '../../http/problem'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Accounts } from '../accounts/public'
import { isMasked, encryptCredential, presentField } from './credential-encryption'

interface AccountOwner {
  account_sid: string
  service_provider_sid: string
}

/** Returns a function that checks access to an account's speech credentials, and returns the account with its provider. */
export const createAccountAuthorizer =
  (accounts: Accounts) =>
  async (actor: Actor, action: Action, account_sid: string): Promise<AccountOwner> => {
    checkTenantSidFormat(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    checkTenantAccess(actor, action, 'speech_credential', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return { account_sid, service_provider_sid }
  }

/** Throws unless the actor belongs to the provider or to one of its accounts. Administrators may access every provider. */
export const authorizeProvider = (actor: Actor, service_provider_sid: string): void => {
  if (can(actor, 'read', 'service_provider', { service_provider_sid, account_sid: null })) return
  throw refusalProblem(findRefusal('speech_credential', 'list', actor.scope))
}

/** Whether a credential with this owner can be accessed at the URL of a tenant. */
export type OwnerFilter = (owner: Owner) => boolean

/** Accepts the credentials of a provider and of its accounts. */
export const isInProvider =
  (service_provider_sid: string): OwnerFilter =>
  (owner) =>
    owner.service_provider_sid === service_provider_sid

/** Accepts the credentials of an account, and those that its provider shares with all accounts. */
export const isUsableByAccount =
  ({ account_sid, service_provider_sid }: AccountOwner): OwnerFilter =>
  (owner) =>
    owner.account_sid === account_sid ||
    (owner.account_sid === null && owner.service_provider_sid === service_provider_sid)

/** Finds the vendor of a draft. Throws 400 if it is unknown, or custom without a name. */
export const findVendor = (vendor: string): Vendor => {
  const vendorDefinition = findVendorById(vendor)
  if (!vendorDefinition || (isCustomVendor(vendor) && vendor === customPrefix))
    throw badRequest(`invalid or missing vendor: ${vendor}`, 'vendor')
  return vendorDefinition
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

const formatCredentialError = (vendor: Vendor, { field, reason }: CredentialError): string => {
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

/** Throws the first error of a credential, except for errors that it had before the update. */
const checkCredential = (vendor: Vendor, updated: Row, current?: Row): void => {
  const currentErrors = current ? findCredentialErrors(vendor, current, { allowsMissingFormFields: true }) : []
  const existedBefore = (error: CredentialError) =>
    currentErrors.some(({ field, reason }) => field === error.field && reason === error.reason)
  const newError = findCredentialErrors(vendor, updated, { allowsMissingFormFields: true }).find(
    (error) => !existedBefore(error),
  )
  if (newError) throw badRequest(formatCredentialError(vendor, newError), newError.field.name)
}

const getTextLength = (value: unknown) => (typeof value === 'string' ? value.length : 0)

/** Encrypts a credential. If it is too long, the error names its longest field. */
const encryptOrThrow = (encryption: SecretEncryption, vendor: Vendor, fields: Row, otherFields: Row = {}): string => {
  const credential = encryptCredential(encryption, vendor, { fields, otherFields })
  if (credential !== undefined) return credential
  const [longestField] = vendor.fields.toSorted((a, b) => getTextLength(fields[b.name]) - getTextLength(fields[a.name]))
  throw badRequest(messages.tooLong(longestField?.name ?? 'credential'), longestField?.name)
}

const storedFieldsOf = (vendor: Vendor): StoredField[] => vendor.fields.filter(isStored)

/**
 * Only administrators may create a credential that uses the AWS identity of the server, because that identity may have
 * access to services of other owners. Updates cannot add it.
 */
const checkServerIdentity = (vendor: Vendor, values: Row, { scope }: Actor): void => {
  const field = findServerIdentityField(vendor, values)
  if (field && scope !== 'admin') throw forbidden(bucketMessages.instanceProfile, field.name)
}

/** The encrypted column of a new credential. */
export const encryptDraft = (encryption: SecretEncryption, vendor: Vendor, draft: Row, actor: Actor): string => {
  const fields = storedFieldsOf(vendor)
  const maskedField = fields.find((field) => isMasked(field, draft[field.name]))
  if (maskedField) throw badRequest(messages.masked(maskedField.name), maskedField.name)
  const values = Object.fromEntries(fields.map(({ name }): [string, unknown] => [name, draft[name]]))
  checkCredential(vendor, { use_for_tts: draft.use_for_tts, use_for_stt: draft.use_for_stt, ...values })
  checkServerIdentity(vendor, values, actor)
  return encryptOrThrow(encryption, vendor, values)
}

/**
 * Throws if the body changes a field that identifies the credential. Unchanged and empty values are allowed, because
 * some clients send them.
 */
export const checkIdentifyingFields = (stored: Row, body: Row): void => {
  const changedField = ['vendor', 'label', 'account_sid'].find(
    (name) => !isBlank(body[name]) && body[name] !== stored[name],
  )
  if (changedField) throw badRequest(messages.immutable(changedField), changedField)
}

/** Throws if the body changes an immutable field. Unchanged and masked values are allowed. */
const checkImmutableField = (field: StoredField, value: unknown, current: Row): void => {
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
const checkSecretsReentered = (vendor: Vendor, current: Row, updated: Row, body: Row): void => {
  const requiredSecret = findSecretsToReenter(vendor, current, updated).find(({ name }) => body[name] !== current[name])
  if (requiredSecret) throw unprocessable(messages.reenterSecret(requiredSecret.name), requiredSecret.name)
}

/** Serializes a credential for comparison. A flag may be stored as a number or a boolean, and may be absent if it is off. */
const serializeForComparison = (vendor: Vendor, fields: Row): string => {
  const enabledFields = Object.entries(packCredential(vendor, fields)).filter(
    ([, value]) => value !== false && value !== 0,
  )
  return JSON.stringify(enabledFields.map(([name, value]) => [name, value === true ? 1 : value]))
}

const isUnchanged = (vendor: Vendor, current: Row, updated: Row): boolean =>
  serializeForComparison(vendor, current) === serializeForComparison(vendor, updated)

/**
 * The encrypted column of an updated credential. Undefined if the body changes nothing. Fields that the body does not
 * contain keep their values, and so do fields that other programs stored.
 */
export const encryptChanges = (
  encryption: SecretEncryption,
  vendor: Vendor | undefined,
  stored: { fields: Row | undefined; otherFields: Row; use_for_tts: number; use_for_stt: number },
  body: Row,
): string | undefined => {
  if (!vendor) return undefined
  const fieldsInBody = storedFieldsOf(vendor).filter(({ name }) => body[name] !== undefined)
  const { fields: current, use_for_tts, use_for_stt } = stored
  if (!current) {
    if (fieldsInBody.some(isEditable)) throw unprocessable(messages.unreadable)
    return undefined
  }
  for (const field of fieldsInBody) checkImmutableField(field, body[field.name], current)
  const changedFields = fieldsInBody.filter(isEditable)
  const updated = { ...current, ...Object.fromEntries(changedFields.map(({ name }) => [name, body[name]])) }
  const flags = { use_for_tts: body.use_for_tts ?? use_for_tts, use_for_stt: body.use_for_stt ?? use_for_stt }
  checkCredential(vendor, { ...updated, ...flags }, { ...current, use_for_tts, use_for_stt })
  checkSecretsReentered(vendor, current, updated, body)
  return isUnchanged(vendor, current, updated)
    ? undefined
    : encryptOrThrow(encryption, vendor, updated, stored.otherFields)
}
