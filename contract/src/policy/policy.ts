import { scopeRank, type Actor, type Owner, type Scope } from './actor'

export type Action = 'list' | 'read' | 'create' | 'update' | 'remove'

/** May this actor do it to a record with this owner? Lists and pages are asked without an owner. */
export type Rule = (actor: Actor, owner: Owner) => boolean

const atLeast =
  (scope: Scope): Rule =>
  (actor) =>
    scopeRank[actor.scope] >= scopeRank[scope]

const anyone = atLeast('account')
const adminOnly = atLeast('admin')

/** The record belongs to the actor's tenant: everything, the provider's and its accounts', or the account's. */
const inTenant: Rule = (actor, owner) => {
  if (actor.scope === 'admin') return true
  if (actor.scope === 'service_provider') return owner.service_provider_sid === actor.service_provider_sid
  return owner.account_sid === actor.account_sid
}

/** As inTenant, and an account also sees what its provider keeps for all its accounts. */
const inTenantOrShared: Rule = (actor, owner) =>
  inTenant(actor, owner) ||
  (actor.scope === 'account' && owner.account_sid === null && owner.service_provider_sid === actor.service_provider_sid)

/** The provider that the actor administers or lives under. */
const inProvider: Rule = (actor, owner) =>
  actor.scope === 'admin' || owner.service_provider_sid === actor.service_provider_sid

const both =
  (a: Rule, b: Rule): Rule =>
  (actor, owner) =>
    a(actor, owner) && b(actor, owner)

const providerOrAdmin = atLeast('service_provider')
const tenantRecord = { list: anyone, read: inTenant, create: inTenant, update: inTenant, remove: inTenant }

/**
 * One line for each kind: who may do what to whose record. An action that is not named here does not exist.
 * The server asks it before every answer, the console before every button.
 */
export const policy = {
  service_provider: {
    list: anyone,
    read: inProvider,
    create: adminOnly,
    update: both(providerOrAdmin, inProvider),
    remove: adminOnly,
  },
  account: {
    list: providerOrAdmin,
    read: inTenant,
    create: both(providerOrAdmin, inProvider),
    update: inTenant,
    remove: inTenant,
  },
  user: tenantRecord,
  api_key: tenantRecord,
  application: tenantRecord,
  voip_carrier: { ...tenantRecord, list: anyone },
  sip_gateway: { ...tenantRecord, list: inTenantOrShared, read: inTenantOrShared },
  smpp_gateway: { ...tenantRecord, list: inTenantOrShared, read: inTenantOrShared },
  predefined_carrier: { list: anyone },
  sbc: { list: anyone, create: adminOnly, remove: adminOnly },
  smpp: { list: anyone, create: adminOnly, remove: adminOnly },
  phone_number: tenantRecord,
  client: tenantRecord,
  ms_teams_tenant: tenantRecord,
  lcr: tenantRecord,
  // An account uses what its provider shares, and sees that it is there; what it is made of stays the provider's.
  speech_credential: { ...tenantRecord, list: inTenantOrShared },
  google_custom_voice: { ...tenantRecord, list: inTenantOrShared },
  // An account may read its own limits, but not raise them.
  limit: { list: inTenant, create: both(providerOrAdmin, inTenant), remove: both(providerOrAdmin, inTenant) },
  // Where every category is in use, limits are what was sold: an administrator's to set.
  every_limit: { list: inTenant, create: adminOnly, remove: adminOnly },
  // to hear a voice costs its owner something: who may only look does not
  tts_cache: { read: inTenant, create: inTenant, remove: inTenant },
  live_call: { read: inTenant, create: inTenant, update: inTenant, remove: inTenant },
  // Captures have no owner: one opens by the call or the carrier that names it, and only administrators list them.
  capture: { list: adminOnly },
  recent_call: { list: anyone, read: inTenant, remove: inTenant },
  alert: { list: anyone, read: inTenant },
  password_settings: { read: anyone, update: adminOnly },
  system_information: { read: adminOnly, update: adminOnly },
  webhook: { create: anyone, read: adminOnly },
  settings: { read: providerOrAdmin, update: providerOrAdmin },
} satisfies Record<string, Partial<Record<Action, Rule>>>

export type Kind = keyof typeof policy

/** By which line limits are judged, in an installation that uses every category or only the usual one. */
export const limitKind = (allLimits: boolean): Kind => (allLimits ? 'every_limit' : 'limit')

/** Kinds of which an account also sees its provider's shared records in lists. */
export const sharedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'service_provider',
  'voip_carrier',
  'sip_gateway',
  'smpp_gateway',
  'speech_credential',
  'google_custom_voice',
])
