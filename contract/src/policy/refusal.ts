import type { Action, Kind } from './policy'
import type { Scope } from './actor'

/** How the wire answers to someone who may not touch a record. Without an entry the record is simply not there (404). */
export interface Refusal {
  status: 400 | 403 | 422
  /** Absent: the status phrase as plain text. */
  msg?: string
}

type Refusals = Partial<Record<Action, Refusal | Partial<Record<Scope, Refusal>>>>

const permissions: Refusal = { status: 403, msg: 'insufficient permissions' }
const privileges: Refusal = { status: 403, msg: 'insufficient privileges' }
const foreignCarrier: Refusal = { status: 422, msg: 'carrier belongs to a different user' }
const provider: Refusal = { status: 403, msg: 'insufficient permissions to update service provider' }

/** Speech says it with a capital. */
const speech: Refusal = { status: 403, msg: 'Insufficient privileges' }

const everywhere = (refusal: Refusal): Refusals => ({
  list: refusal,
  read: refusal,
  create: refusal,
  update: refusal,
  remove: refusal,
})

/**
 * The statuses and words that existing clients meet. Where the interface leaves the choice there is no entry, and a
 * foreign record looks like one that does not exist.
 */
export const refusals: Partial<Record<Kind, Refusals>> = {
  service_provider: {
    read: permissions,
    create: { status: 403, msg: 'only admin users can add a service provider' },
    update: provider,
    remove: { status: 403, msg: 'only admin users can delete a service provider' },
  },
  account: { read: permissions, create: permissions, update: permissions, remove: permissions },
  application: {
    create: privileges,
    update: { account: privileges, service_provider: permissions },
    remove: { account: { status: 422, msg: 'insufficient permissions' }, service_provider: permissions },
  },
  voip_carrier: {
    read: { status: 400, msg: 'insufficient privileges' },
    create: permissions,
    update: { account: foreignCarrier },
    remove: { account: foreignCarrier },
  },
  webhook: { read: privileges },
  sip_gateway: everywhere(privileges),
  smpp_gateway: everywhere(privileges),
  phone_number: {
    read: { service_provider: { status: 400, msg: 'insufficient privileges' } },
    create: privileges,
    update: privileges,
    remove: { account: privileges },
  },
  user: { read: permissions, update: { status: 403 }, remove: permissions },
  password_settings: { update: { status: 403 } },
  client: { create: permissions },
  ms_teams_tenant: { create: privileges },
  speech_credential: everywhere(speech),
  google_custom_voice: everywhere(speech),
  capture: { list: privileges },
  sbc: { create: privileges, remove: privileges },
  smpp: { create: privileges, remove: privileges },
}

/** The refusal for one action and scope, or undefined when the record must look absent. */
export const refusalOf = (kind: Kind, action: Action, scope: Scope): Refusal | undefined => {
  const entry = refusals[kind]?.[action]
  if (!entry) return undefined
  return 'status' in entry ? entry : entry[scope]
}
