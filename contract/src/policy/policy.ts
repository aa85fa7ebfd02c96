import { scopeRank, type Actor, type Owner, type Scope } from './actor'

export type Action = 'list' | 'read' | 'create' | 'update' | 'remove'

/** Whether the actor may do something to a record with this owner. Lists and pages are checked without an owner. */
export type Rule = (actor: Actor, owner: Owner) => boolean

const atLeast =
  (scope: Scope): Rule =>
  (actor) =>
    scopeRank[actor.scope] >= scopeRank[scope]

const anyone = atLeast('account')
const adminOnly = atLeast('admin')

/** The owner belongs to the actor's tenant: any owner (admin), the provider and its accounts, or the account. */
const inTenant: Rule = (actor, owner) => {
  if (actor.scope === 'admin') return true
  if (actor.scope === 'service_provider') return owner.service_provider_sid === actor.service_provider_sid
  return owner.account_sid === actor.account_sid
}

/** Like `inTenant`, and accounts also see the records that their provider shares with all its accounts. */
const inTenantOrShared: Rule = (actor, owner) =>
  inTenant(actor, owner) ||
  (actor.scope === 'account' && owner.account_sid === null && owner.service_provider_sid === actor.service_provider_sid)

/** The owner belongs to the actor's provider. */
const inProvider: Rule = (actor, owner) =>
  actor.scope === 'admin' || owner.service_provider_sid === actor.service_provider_sid

const both =
  (a: Rule, b: Rule): Rule =>
  (actor, owner) =>
    a(actor, owner) && b(actor, owner)

const providerOrAdmin = atLeast('service_provider')
const tenantRecord = { list: anyone, read: inTenant, create: inTenant, update: inTenant, remove: inTenant }

/**
 * The permissions of each kind of record. Actions that are not listed are refused. The server checks this table before
 * every response, the console before it shows a button.
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
  // Accounts can list and use their provider's shared credentials, but cannot read the contents.
  speech_credential: { ...tenantRecord, list: inTenantOrShared },
  google_custom_voice: { ...tenantRecord, list: inTenantOrShared },
  // Accounts may read their own limits, but not raise them.
  limit: { list: inTenant, create: both(providerOrAdmin, inTenant), remove: both(providerOrAdmin, inTenant) },
  // With all categories enabled, limits reflect the purchase of the account, so only administrators set them.
  every_limit: { list: inTenant, create: adminOnly, remove: adminOnly },
  // Synthesizing a preview costs the owner money, so it is a `create`, which view-only users may not do.
  tts_cache: { read: inTenant, create: inTenant, remove: inTenant },
  live_call: { read: inTenant, create: inTenant, update: inTenant, remove: inTenant },
  // Captures have no owner: they are read through a call or carrier, and only administrators list them.
  capture: { list: adminOnly },
  recent_call: { list: anyone, read: inTenant, remove: inTenant },
  alert: { list: anyone, read: inTenant },
  password_settings: { read: anyone, update: adminOnly },
  system_information: { read: adminOnly, update: adminOnly },
  webhook: { create: anyone, read: adminOnly },
  settings: { read: providerOrAdmin, update: providerOrAdmin },
} satisfies Record<string, Partial<Record<Action, Rule>>>

export type Kind = keyof typeof policy

/**
 * The kind that decides about limits. It depends on whether the installation uses all categories or only the default
 * one.
 */
export const limitKind = (allLimits: boolean): Kind => (allLimits ? 'every_limit' : 'limit')

/** The kinds that include shared records of the provider in an account's lists. */
export const sharedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'service_provider',
  'voip_carrier',
  'sip_gateway',
  'smpp_gateway',
  'speech_credential',
  'google_custom_voice',
])
