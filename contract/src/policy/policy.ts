import { scopeRank, type Actor, type Owner, type Scope } from './actor'

export type Action = 'list' | 'read' | 'create' | 'update' | 'remove'

/** Whether the actor may do something to a record with this owner. For lists and screens, both SIDs of the owner are null. */
export type Rule = (actor: Actor, owner: Owner) => boolean

const requireScope =
  (scope: Scope): Rule =>
  (actor) =>
    scopeRank[actor.scope] >= scopeRank[scope]

const anyActor = requireScope('account')
const adminOnly = requireScope('admin')

/** The owner belongs to the actor's tenant: any owner (admin), the provider and its accounts, or the account. */
const isInTenant: Rule = (actor, owner) => {
  if (actor.scope === 'admin') return true
  if (actor.scope === 'service_provider') return owner.service_provider_sid === actor.service_provider_sid
  return owner.account_sid === actor.account_sid
}

/** Like `isInTenant`, and accounts also see the records that their provider shares with all its accounts. */
const isInTenantOrShared: Rule = (actor, owner) =>
  isInTenant(actor, owner) ||
  (actor.scope === 'account' && owner.account_sid === null && owner.service_provider_sid === actor.service_provider_sid)

/** The owner belongs to the actor's provider. */
const isInProvider: Rule = (actor, owner) =>
  actor.scope === 'admin' || owner.service_provider_sid === actor.service_provider_sid

const requireBoth =
  (firstRule: Rule, secondRule: Rule): Rule =>
  (actor, owner) =>
    firstRule(actor, owner) && secondRule(actor, owner)

const providerOrAdmin = requireScope('service_provider')
const tenantRecord = { list: anyActor, read: isInTenant, create: isInTenant, update: isInTenant, remove: isInTenant }

/**
 * The permissions of each kind of record. Actions that are not listed are refused. The server checks this table before
 * every response, the console before it shows a button.
 */
export const policy = {
  service_provider: {
    list: anyActor,
    read: isInProvider,
    create: adminOnly,
    update: requireBoth(providerOrAdmin, isInProvider),
    remove: adminOnly,
  },
  account: {
    list: providerOrAdmin,
    read: isInTenant,
    create: requireBoth(providerOrAdmin, isInProvider),
    update: isInTenant,
    remove: isInTenant,
  },
  user: tenantRecord,
  api_key: tenantRecord,
  application: tenantRecord,
  voip_carrier: { ...tenantRecord, list: anyActor },
  sip_gateway: { ...tenantRecord, list: isInTenantOrShared, read: isInTenantOrShared },
  smpp_gateway: { ...tenantRecord, list: isInTenantOrShared, read: isInTenantOrShared },
  predefined_carrier: { list: anyActor },
  sbc: { list: anyActor, create: adminOnly, remove: adminOnly },
  smpp: { list: anyActor, create: adminOnly, remove: adminOnly },
  phone_number: tenantRecord,
  client: tenantRecord,
  ms_teams_tenant: tenantRecord,
  lcr: tenantRecord,
  // Accounts can list and use their provider's shared credentials, but cannot read the contents.
  speech_credential: { ...tenantRecord, list: isInTenantOrShared },
  google_custom_voice: { ...tenantRecord, list: isInTenantOrShared },
  // Accounts may read their own limits, but not raise them.
  limit: {
    list: isInTenant,
    create: requireBoth(providerOrAdmin, isInTenant),
    remove: requireBoth(providerOrAdmin, isInTenant),
  },
  // The limits of an installation that shows all limit categories: they are what the account bought, so only administrators set them.
  purchased_limit: { list: isInTenant, create: adminOnly, remove: adminOnly },
  // Synthesizing a preview costs the owner money, so it is a `create`, which view-only users may not do.
  tts_cache: { read: isInTenant, create: isInTenant, remove: isInTenant },
  live_call: { read: isInTenant, create: isInTenant, update: isInTenant, remove: isInTenant },
  // Captures have no owner: they are read through a call or carrier, and only administrators list them.
  capture: { list: adminOnly },
  recent_call: { list: anyActor, read: isInTenant, remove: isInTenant },
  alert: { list: anyActor, read: isInTenant },
  invite_code: { create: adminOnly },
  password_settings: { read: anyActor, update: adminOnly },
  system_information: { read: adminOnly, update: adminOnly },
  system_health: { read: adminOnly },
  webhook: { create: anyActor, read: adminOnly },
  settings: { read: providerOrAdmin, update: providerOrAdmin },
} satisfies Record<string, Partial<Record<Action, Rule>>>

export type Kind = keyof typeof policy

/**
 * Returns which entry of the policy applies to limits: `allLimits` is true if the installation shows all limit categories,
 * not only the limit of concurrent calls.
 */
export const getLimitKind = (allLimits: boolean): Kind => (allLimits ? 'purchased_limit' : 'limit')

/** The kinds that include shared records of the provider in an account's lists. */
export const sharedKinds: ReadonlySet<Kind> = new Set<Kind>([
  'service_provider',
  'voip_carrier',
  'sip_gateway',
  'smpp_gateway',
  'speech_credential',
  'google_custom_voice',
])
