import { messages as bucket } from '@trunkline/contract/messages/bucket'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { Actor, Owner } from '@trunkline/contract/policy/actor'
import { can } from '@trunkline/contract/policy/can'
import type { Action } from '@trunkline/contract/policy/policy'
import { refusalOf } from '@trunkline/contract/policy/refusal'
import {
  faultsOf,
  isKept,
  isSecret,
  lentBy,
  mayChange,
  missingOnWire,
  packCredential,
  secretsWanted,
  type Fault,
  type KeptField,
} from '@trunkline/contract/speech/credential'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { customMark, isCustom, vendorOf } from '@trunkline/contract/speech/vendors'
import type { Row } from '../../db/repository'
import { checkSidFormat, passGate } from '../../http/gate'
import { badRequest, forbidden, notFound, refusalProblem, unprocessable } from '../../http/problem'
import type { SecretEncryption } from '../../secrets/encryption'
import type { Accounts } from '../accounts/public'
import { isMasked, encryptCredential, presentField } from './credential-encryption'

interface AccountOwner {
  account_sid: string
  service_provider_sid: string
}

/** Lets through whom the policy lets come to an account's speech services; answers the account with its provider. */
export const accountGate =
  (accounts: Accounts) =>
  async (actor: Actor, action: Action, account_sid: string): Promise<AccountOwner> => {
    checkSidFormat(actor, 'Accounts', account_sid)
    const service_provider_sid = (await accounts.providerOf(account_sid)) ?? null
    passGate(actor, action, 'speech_credential', { service_provider_sid, account_sid })
    if (!service_provider_sid) throw notFound()
    return { account_sid, service_provider_sid }
  }

/** A provider's speech services are for its people and those of its accounts. */
export const providerGate = (actor: Actor, service_provider_sid: string): void => {
  if (can(actor, 'read', 'service_provider', { service_provider_sid, account_sid: null })) return
  throw refusalProblem(refusalOf('speech_credential', 'list', actor.scope))
}

/** Does a record lie under this provider, as its own or as an account's? */
export const isInProvider =
  (service_provider_sid: string) =>
  (owner: Owner): boolean =>
    owner.service_provider_sid === service_provider_sid

/** The description of a draft's vendor. One that installations add needs a name of its own. */
export const findVendor = (vendor: string): Vendor => {
  const found = vendorOf(vendor)
  if (!found || (isCustom(vendor) && vendor === customMark))
    throw badRequest(`invalid or missing vendor: ${vendor}`, 'vendor')
  return found
}

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

const errorMessage = (vendor: Vendor, { field, why }: Fault): string => {
  const { name } = field
  const words: Record<Fault['why'], string> = {
    missing: missingOnWire(vendor, field),
    'host-port': messages.wrong.hostPort(name),
    url: messages.wrong.url(name),
    'host-port-or-url': messages.wrong.hostPortOrUrl(name),
    host: messages.wrong.host(name),
    json: messages.wrong.json(name),
    'service-key': 'invalid google service account key - not JSON',
  }
  return words[why]
}

/** Refuses a credential with a fault; one that it already had before is nobody's fault now. */
const checkFields = (vendor: Vendor, updated: Row, current?: Row): void => {
  const known = current ? faultsOf(vendor, current, { patient: true }) : []
  const isKnown = (fault: Fault) => known.some(({ field, why }) => field === fault.field && why === fault.why)
  const fault = faultsOf(vendor, updated, { patient: true }).find((each) => !isKnown(each))
  if (fault) throw badRequest(errorMessage(vendor, fault), fault.field.name)
}

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0)

/** The encrypted credential. One that is too long is told of its longest part. */
const encryptChecked = (vault: SecretEncryption, vendor: Vendor, fields: Row, others: Row = {}): string => {
  const credential = encryptCredential(vault, vendor, { fields, others })
  if (credential !== undefined) return credential
  const [longest] = vendor.fields.toSorted((a, b) => lengthOf(fields[b.name]) - lengthOf(fields[a.name]))
  throw badRequest(messages.tooLong(longest?.name ?? 'credential'), longest?.name)
}

const storedFieldsOf = (vendor: Vendor): KeptField[] => vendor.fields.filter(isKept)

/**
 * The server's own identity may go where nobody here has business, so only who runs the server may lend it. Who else may
 * use the credential afterwards is as with any other; no change of one leads there.
 */
const checkIdentity = (vendor: Vendor, values: Row, { scope }: Actor): void => {
  const field = lentBy(vendor, values)
  if (field && scope !== 'admin') throw forbidden(bucket.instanceProfile, field.name)
}

/** The column for a new credential, out of a draft. */
export const encryptDraft = (vault: SecretEncryption, vendor: Vendor, draft: Row, actor: Actor): string => {
  const fields = storedFieldsOf(vendor)
  const masked = fields.find((field) => isMasked(field, draft[field.name]))
  if (masked) throw badRequest(messages.masked(masked.name), masked.name)
  const values = Object.fromEntries(fields.map(({ name }): [string, unknown] => [name, draft[name]]))
  checkFields(vendor, { use_for_tts: draft.use_for_tts, use_for_stt: draft.use_for_stt, ...values })
  checkIdentity(vendor, values, actor)
  return encryptChecked(vault, vendor, values)
}

/** Refuses what would make it another credential. As it is, it may come along; so may nothing, which some clients send. */
export const checkImmutable = (stored: Row, body: Row): void => {
  const changed = ['vendor', 'label', 'account_sid'].find((name) => !isBlank(body[name]) && body[name] !== stored[name])
  if (changed) throw badRequest(messages.fixed(changed), changed)
}

/** Refuses what would change a part that cannot be changed. As it is, or as it was shown, it may come along. */
const checkFixedField = (field: KeptField, given: unknown, current: Row): void => {
  if (mayChange(field) || isBlank(given)) return
  const present = current[field.name]
  if (given === present || given === presentField(field, present) || (isSecret(field) && isMasked(field, given))) return
  throw badRequest(messages.fixed(field.name), field.name)
}

/** Refuses to send a stored secret to an address that somebody has changed who does not know it. */
const checkAddresses = (vendor: Vendor, current: Row, updated: Row, body: Row): void => {
  const unknown = secretsWanted(vendor, current, updated).find(({ name }) => body[name] !== current[name])
  if (unknown) throw unprocessable(messages.secretWanted(unknown.name), unknown.name)
}

/** A credential for comparison: a flag may be stored as a number or a boolean, and one that is off may be absent. */
const comparableForm = (vendor: Vendor, fields: Row): string => {
  const parts = Object.entries(packCredential(vendor, fields)).filter(([, value]) => value !== false && value !== 0)
  return JSON.stringify(parts.map(([name, value]) => [name, value === true ? 1 : value]))
}

const isSame = (vendor: Vendor, current: Row, updated: Row): boolean =>
  comparableForm(vendor, current) === comparableForm(vendor, updated)

/**
 * The column for a changed credential: undefined where the body changes nothing of it. What the body does not name
 * stays as it is, and so do the secrets and what other programs keep beside the fields.
 */
export const encryptChanges = (
  vault: SecretEncryption,
  vendor: Vendor | undefined,
  stored: { fields: Row | undefined; others: Row; use_for_tts: number; use_for_stt: number },
  body: Row,
): string | undefined => {
  if (!vendor) return undefined
  const given = storedFieldsOf(vendor).filter(({ name }) => body[name] !== undefined)
  const { fields: current, use_for_tts, use_for_stt } = stored
  if (!current) {
    if (given.some(mayChange)) throw unprocessable(messages.unreadable)
    return undefined
  }
  for (const field of given) checkFixedField(field, body[field.name], current)
  const changed = given.filter(mayChange)
  const updated = { ...current, ...Object.fromEntries(changed.map(({ name }) => [name, body[name]])) }
  const flags = { use_for_tts: body.use_for_tts ?? use_for_tts, use_for_stt: body.use_for_stt ?? use_for_stt }
  checkFields(vendor, { ...updated, ...flags }, { ...current, use_for_tts, use_for_stt })
  checkAddresses(vendor, current, updated, body)
  return isSame(vendor, current, updated) ? undefined : encryptChecked(vault, vendor, updated, stored.others)
}
