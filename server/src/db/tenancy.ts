import { sql, type RawBuilder } from 'kysely'
import type { Reach } from '@trunkline/contract/policy/can'
import type { Tables } from './schema'

/** How a kind's rows find their owner. In every fragment `t` is the row's own table. */
export interface OwnerChain {
  table: keyof Tables & string
  key: string
  /** Joins towards the tables that know the owner. */
  joins: RawBuilder<unknown>
  /** Null: the platform's. */
  provider: RawBuilder<unknown>
  /** Null: the provider's own. */
  account: RawBuilder<unknown>
  // The same questions as conditions that need no join, so that an ordered index can answer a page of a large table.
  /** Belongs to the provider or to one of its accounts: one of these holds, and never two, so that each can be counted alone. */
  ofProvider: (service_provider_sid: string) => RawBuilder<unknown>[]
  ofAccount: (account_sid: string) => RawBuilder<unknown>
  /** Belongs to the provider itself, for all its accounts. */
  sharedBy: (service_provider_sid: string) => RawBuilder<unknown>
}

const accountsOf = (sid: string) => sql`(select account_sid from accounts where service_provider_sid = ${sid})`
const carriersOf = (sid: string) =>
  sql`(select voip_carrier_sid from voip_carriers where service_provider_sid = ${sid})`

const own = {
  joins: sql``,
  provider: sql`t.service_provider_sid`,
  account: sql`t.account_sid`,
  ofProvider: (sid: string) => [sql`t.service_provider_sid = ${sid}`],
  ofAccount: (sid: string) => sql`t.account_sid = ${sid}`,
  sharedBy: (sid: string) => sql`(t.account_sid is null and t.service_provider_sid = ${sid})`,
}

/** Through the account, and for a row without one by the row's own provider. */
const throughAccount = {
  ...own,
  joins: sql`left join accounts oa on oa.account_sid = t.account_sid`,
  provider: sql`coalesce(oa.service_provider_sid, t.service_provider_sid)`,
  ofProvider: (sid: string) => [
    sql`t.account_sid in ${accountsOf(sid)}`,
    sql`(t.account_sid is null and t.service_provider_sid = ${sid})`,
  ],
}

/** Through the account alone. */
const inAccount = {
  joins: sql`join accounts oa on oa.account_sid = t.account_sid`,
  provider: sql`oa.service_provider_sid`,
  account: sql`t.account_sid`,
  ofProvider: (sid: string) => [sql`t.account_sid in ${accountsOf(sid)}`],
  ofAccount: own.ofAccount,
  // Every row is an account's.
  sharedBy: () => sql`1 = 0`,
}

const throughCarrier = {
  joins: sql`join voip_carriers oc on oc.voip_carrier_sid = t.voip_carrier_sid`,
  provider: sql`oc.service_provider_sid`,
  account: sql`oc.account_sid`,
  ofProvider: (sid: string) => [sql`t.voip_carrier_sid in ${carriersOf(sid)}`],
  ofAccount: (sid: string) =>
    sql`t.voip_carrier_sid in (select voip_carrier_sid from voip_carriers where account_sid = ${sid})`,
  sharedBy: (sid: string) => sql`t.voip_carrier_sid in
    (select voip_carrier_sid from voip_carriers where account_sid is null and service_provider_sid = ${sid})`,
}

const credentialsOf = (where: RawBuilder<unknown>) =>
  sql`t.speech_credential_sid in (select s.speech_credential_sid from speech_credentials s where ${where})`

/** Through the credential, and from there on as a credential. */
const throughCredential = {
  joins: sql`join speech_credentials oc on oc.speech_credential_sid = t.speech_credential_sid
    left join accounts oa on oa.account_sid = oc.account_sid`,
  provider: sql`coalesce(oa.service_provider_sid, oc.service_provider_sid)`,
  account: sql`oc.account_sid`,
  ofProvider: (sid: string) => [
    credentialsOf(sql`s.account_sid in ${accountsOf(sid)}`),
    credentialsOf(sql`s.account_sid is null and s.service_provider_sid = ${sid}`),
  ],
  ofAccount: (sid: string) => credentialsOf(sql`s.account_sid = ${sid}`),
  sharedBy: (sid: string) => credentialsOf(sql`s.account_sid is null and s.service_provider_sid = ${sid}`),
}

/** Every kind of record with an owner: one line each, so that tenancy is decided in one place for all of them. */
export const chains = {
  service_provider: {
    ...own,
    table: 'service_providers',
    key: 'service_provider_sid',
    account: sql`null`,
    // No provider belongs to an account; the one that it lives under is shared with it.
    ofAccount: () => sql`1 = 0`,
    sharedBy: (sid: string) => sql`t.service_provider_sid = ${sid}`,
  },
  account: { ...own, table: 'accounts', key: 'account_sid' },
  user: { ...throughAccount, table: 'users', key: 'user_sid' },
  api_key: { ...throughAccount, table: 'api_keys', key: 'api_key_sid' },
  application: { ...throughAccount, table: 'applications', key: 'application_sid' },
  client: { ...inAccount, table: 'clients', key: 'client_sid' },
  ms_teams_tenant: { ...inAccount, table: 'ms_teams_tenants', key: 'ms_teams_tenant_sid' },
  voip_carrier: { ...own, table: 'voip_carriers', key: 'voip_carrier_sid' },
  speech_credential: { ...throughAccount, table: 'speech_credentials', key: 'speech_credential_sid' },
  google_custom_voice: { ...throughCredential, table: 'google_custom_voices', key: 'google_custom_voice_sid' },
  sip_gateway: { ...throughCarrier, table: 'sip_gateways', key: 'sip_gateway_sid' },
  smpp_gateway: { ...throughCarrier, table: 'smpp_gateways', key: 'smpp_gateway_sid' },
  lcr: {
    ...own,
    table: 'lcr',
    key: 'lcr_sid',
    // Some clients keep an empty text where no account is meant.
    account: sql`nullif(t.account_sid, '')`,
    // A table is its account's or its provider's: a provider does not see those of its accounts.
    ofProvider: (sid: string) => [sql`(t.service_provider_sid = ${sid} and nullif(t.account_sid, '') is null)`],
  },
  phone_number: {
    ...own,
    table: 'phone_numbers',
    key: 'phone_number_sid',
    // A number of no account is its provider's, or else that of its carrier's provider: it must not vanish from every list.
    joins: sql`left join accounts oa on oa.account_sid = t.account_sid left join voip_carriers oc on oc.voip_carrier_sid = t.voip_carrier_sid`,
    provider: sql`coalesce(oa.service_provider_sid, t.service_provider_sid, oc.service_provider_sid)`,
    ofProvider: (sid: string) => [
      sql`t.account_sid in ${accountsOf(sid)}`,
      sql`(t.account_sid is null and (t.service_provider_sid = ${sid} or
        (t.service_provider_sid is null and t.voip_carrier_sid in ${carriersOf(sid)})))`,
    ],
  },
} satisfies Record<string, OwnerChain>

/** The conditions that keep a list or a look-up inside an actor's reach: a row of it fulfils exactly one. */
export const bounds = (reach: Reach, { ofProvider, ofAccount, sharedBy }: OwnerChain): RawBuilder<unknown>[] => {
  if ('all' in reach) return [sql`1 = 1`]
  if ('service_provider_sid' in reach) return ofProvider(reach.service_provider_sid)
  const mine = ofAccount(reach.account_sid)
  return reach.sharedBy ? [mine, sharedBy(reach.sharedBy)] : [mine]
}

/**
 * The same, asked of each row over the chain's joins: what a page reads that finds its rows one by one in the order of an
 * index, where the conditions of `bounds` would first gather all of a provider's accounts.
 */
export const withinRow = (reach: Reach, chain: OwnerChain): RawBuilder<unknown> =>
  'service_provider_sid' in reach ? sql`${chain.provider} = ${reach.service_provider_sid}` : within(reach, chain)

/** The same as one condition. */
export const within = (reach: Reach, chain: OwnerChain): RawBuilder<unknown> =>
  sql`(${sql.join(bounds(reach, chain), sql` or `)})`
