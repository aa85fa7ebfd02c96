import type { Action, Kind } from './policy'
import type { Scope } from './actor'

/**
 * The error response to an actor without permission. Without an entry, the response is 404, as for a record that does
 * not exist.
 */
export interface Refusal {
  status: 400 | 403 | 422
  /** If absent, the response is the status phrase as plain text. */
  msg?: string
}

type Refusals = Partial<Record<Action, Refusal | Partial<Record<Scope, Refusal>>>>

const insufficientPermissions: Refusal = { status: 403, msg: 'insufficient permissions' }
const insufficientPrivileges: Refusal = { status: 403, msg: 'insufficient privileges' }
const foreignCarrier: Refusal = { status: 422, msg: 'carrier belongs to a different user' }
const cannotUpdateProvider: Refusal = { status: 403, msg: 'insufficient permissions to update service provider' }

/** The speech routes capitalise this message. */
const speechPrivileges: Refusal = { status: 403, msg: 'Insufficient privileges' }

const refuseEveryAction = (refusal: Refusal): Refusals => ({
  list: refusal,
  read: refusal,
  create: refusal,
  update: refusal,
  remove: refusal,
})

/**
 * The statuses and messages that existing clients expect. Where the API leaves the choice there is no entry, and a
 * foreign record looks like one that does not exist.
 */
export const refusals: Partial<Record<Kind, Refusals>> = {
  service_provider: {
    read: insufficientPermissions,
    create: { status: 403, msg: 'only admin users can add a service provider' },
    update: cannotUpdateProvider,
    remove: { status: 403, msg: 'only admin users can delete a service provider' },
  },
  account: {
    read: insufficientPermissions,
    create: insufficientPermissions,
    update: insufficientPermissions,
    remove: insufficientPermissions,
  },
  application: {
    create: insufficientPrivileges,
    update: { account: insufficientPrivileges, service_provider: insufficientPermissions },
    remove: { account: { status: 422, msg: 'insufficient permissions' }, service_provider: insufficientPermissions },
  },
  voip_carrier: {
    read: { status: 400, msg: 'insufficient privileges' },
    create: insufficientPermissions,
    update: { account: foreignCarrier },
    remove: { account: foreignCarrier },
  },
  webhook: { read: insufficientPrivileges },
  sip_gateway: refuseEveryAction(insufficientPrivileges),
  smpp_gateway: refuseEveryAction(insufficientPrivileges),
  phone_number: {
    read: { service_provider: { status: 400, msg: 'insufficient privileges' } },
    create: insufficientPrivileges,
    update: insufficientPrivileges,
    remove: { account: insufficientPrivileges },
  },
  user: { read: insufficientPermissions, update: { status: 403 }, remove: insufficientPermissions },
  password_settings: { update: { status: 403 } },
  client: { create: insufficientPermissions },
  ms_teams_tenant: { create: insufficientPrivileges },
  speech_credential: refuseEveryAction(speechPrivileges),
  google_custom_voice: refuseEveryAction(speechPrivileges),
  capture: { list: insufficientPrivileges },
  sbc: { create: insufficientPrivileges, remove: insufficientPrivileges },
  smpp: { create: insufficientPrivileges, remove: insufficientPrivileges },
}

/** The refusal for an action and scope; undefined if the record must appear not to exist. */
export const findRefusal = (kind: Kind, action: Action, scope: Scope): Refusal | undefined => {
  const entry = refusals[kind]?.[action]
  if (!entry) return undefined
  return 'status' in entry ? entry : entry[scope]
}
