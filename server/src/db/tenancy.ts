import { sql, type RawBuilder } from 'kysely'
import type { Reach } from '@trunkline/contract/policy/can'
import type { Tables } from './schema'

/** How to find the owner of a row. In every SQL fragment `t` is the row's table. */
export interface Ownership {
  table: keyof Tables & string
  key: string
  /** Joins the tables that hold the owner. */
  joins: RawBuilder<unknown>
  /** The owning provider; null for a record of the platform. */
  provider: RawBuilder<unknown>
  /** The owning account; null for a record that the provider shares with its accounts. */
  account: RawBuilder<unknown>
  // The same ownership as conditions without joins, so that pages of a large table can be read in the order of an index.
  /** The row belongs to the provider or one of its accounts. At most one condition holds, so their counts can be added. */
  providerConditions: (service_provider_sid: string) => RawBuilder<unknown>[]
  /** The same, reading the owner through the joins; `provider` by default. */
  providerRowCondition?: (service_provider_sid: string) => RawBuilder<unknown>
  accountCondition: (account_sid: string) => RawBuilder<unknown>
  /** The row belongs to the provider itself, which shares it with its accounts. */
  sharedCondition: (service_provider_sid: string) => RawBuilder<unknown>
}

const accountSidsOf = (sid: string) => sql`(select account_sid from accounts where service_provider_sid = ${sid})`
const carrierSidsOf = (sid: string) =>
  sql`(select voip_carrier_sid from voip_carriers where service_provider_sid = ${sid})`

const ownedByRow = {
  joins: sql``,
  provider: sql`t.service_provider_sid`,
  account: sql`t.account_sid`,
  providerConditions: (sid: string) => [sql`t.service_provider_sid = ${sid}`],
  accountCondition: (sid: string) => sql`t.account_sid = ${sid}`,
  sharedCondition: (sid: string) => sql`(t.account_sid is null and t.service_provider_sid = ${sid})`,
}

/** The account's provider; for a row without an account, the provider in the row. */
const ownedByOptionalAccount = {
  ...ownedByRow,
  joins: sql`left join accounts on accounts.account_sid = t.account_sid`,
  provider: sql`coalesce(accounts.service_provider_sid, t.service_provider_sid)`,
  providerConditions: (sid: string) => [
    sql`t.account_sid in ${accountSidsOf(sid)}`,
    sql`(t.account_sid is null and t.service_provider_sid = ${sid})`,
  ],
}

/** For rows that always have an account and no column for a provider. */
const ownedByAccount = {
  joins: sql`join accounts on accounts.account_sid = t.account_sid`,
  provider: sql`accounts.service_provider_sid`,
  account: sql`t.account_sid`,
  providerConditions: (sid: string) => [sql`t.account_sid in ${accountSidsOf(sid)}`],
  accountCondition: ownedByRow.accountCondition,
  sharedCondition: () => sql`1 = 0`,
}

const ownedByCarrier = {
  joins: sql`join voip_carriers on voip_carriers.voip_carrier_sid = t.voip_carrier_sid`,
  provider: sql`voip_carriers.service_provider_sid`,
  account: sql`voip_carriers.account_sid`,
  providerConditions: (sid: string) => [sql`t.voip_carrier_sid in ${carrierSidsOf(sid)}`],
  accountCondition: (sid: string) =>
    sql`t.voip_carrier_sid in (select voip_carrier_sid from voip_carriers where account_sid = ${sid})`,
  sharedCondition: (sid: string) => sql`t.voip_carrier_sid in
    (select voip_carrier_sid from voip_carriers where account_sid is null and service_provider_sid = ${sid})`,
}

const inCredentials = (where: RawBuilder<unknown>) =>
  sql`t.speech_credential_sid in (select s.speech_credential_sid from speech_credentials s where ${where})`

/** The owner of the credential that the row belongs to. */
const ownedByCredential = {
  joins: sql`join speech_credentials on speech_credentials.speech_credential_sid = t.speech_credential_sid
    left join accounts on accounts.account_sid = speech_credentials.account_sid`,
  provider: sql`coalesce(accounts.service_provider_sid, speech_credentials.service_provider_sid)`,
  account: sql`speech_credentials.account_sid`,
  providerConditions: (sid: string) => [
    inCredentials(sql`s.account_sid in ${accountSidsOf(sid)}`),
    inCredentials(sql`s.account_sid is null and s.service_provider_sid = ${sid}`),
  ],
  accountCondition: (sid: string) => inCredentials(sql`s.account_sid = ${sid}`),
  sharedCondition: (sid: string) => inCredentials(sql`s.account_sid is null and s.service_provider_sid = ${sid}`),
}

const ownLcrOfProvider = (sid: string) => sql`(t.service_provider_sid = ${sid} and nullif(t.account_sid, '') is null)`

/** The ownership of every kind of record. All tenancy rules are here. */
export const ownershipByKind = {
  service_provider: {
    ...ownedByRow,
    table: 'service_providers',
    key: 'service_provider_sid',
    account: sql`null`,
    // A provider belongs to no account, but the users of its accounts may read it.
    accountCondition: () => sql`1 = 0`,
    sharedCondition: (sid: string) => sql`t.service_provider_sid = ${sid}`,
  },
  account: { ...ownedByRow, table: 'accounts', key: 'account_sid' },
  user: { ...ownedByOptionalAccount, table: 'users', key: 'user_sid' },
  api_key: { ...ownedByOptionalAccount, table: 'api_keys', key: 'api_key_sid' },
  application: { ...ownedByOptionalAccount, table: 'applications', key: 'application_sid' },
  client: { ...ownedByAccount, table: 'clients', key: 'client_sid' },
  ms_teams_tenant: { ...ownedByAccount, table: 'ms_teams_tenants', key: 'ms_teams_tenant_sid' },
  voip_carrier: { ...ownedByRow, table: 'voip_carriers', key: 'voip_carrier_sid' },
  speech_credential: { ...ownedByOptionalAccount, table: 'speech_credentials', key: 'speech_credential_sid' },
  google_custom_voice: { ...ownedByCredential, table: 'google_custom_voices', key: 'google_custom_voice_sid' },
  sip_gateway: { ...ownedByCarrier, table: 'sip_gateways', key: 'sip_gateway_sid' },
  smpp_gateway: { ...ownedByCarrier, table: 'smpp_gateways', key: 'smpp_gateway_sid' },
  lcr: {
    ...ownedByRow,
    table: 'lcr',
    key: 'lcr_sid',
    // Some clients store an empty string instead of null.
    account: sql`nullif(t.account_sid, '')`,
    // A provider does not see the LCRs of its accounts.
    providerConditions: (sid: string) => [ownLcrOfProvider(sid)],
    providerRowCondition: ownLcrOfProvider,
  },
  phone_number: {
    ...ownedByRow,
    table: 'phone_numbers',
    key: 'phone_number_sid',
    // Without an account and a provider of its own, a number belongs to its carrier's provider; otherwise no list would show it.
    joins: sql`left join accounts on accounts.account_sid = t.account_sid left join voip_carriers on voip_carriers.voip_carrier_sid = t.voip_carrier_sid`,
    provider: sql`coalesce(accounts.service_provider_sid, t.service_provider_sid, voip_carriers.service_provider_sid)`,
    providerConditions: (sid: string) => [
      sql`t.account_sid in ${accountSidsOf(sid)}`,
      sql`(t.account_sid is null and (t.service_provider_sid = ${sid} or
        (t.service_provider_sid is null and t.voip_carrier_sid in ${carrierSidsOf(sid)})))`,
    ],
  },
} satisfies Record<string, Ownership>

/** The alternatives that limit a query to an actor's reach. A row in reach matches exactly one of them. */
export const listReachConditions = (
  reach: Reach,
  { providerConditions, accountCondition, sharedCondition }: Ownership,
): RawBuilder<unknown>[] => {
  if ('all' in reach) return [sql`1 = 1`]
  if ('service_provider_sid' in reach) return providerConditions(reach.service_provider_sid)
  const accountRows = accountCondition(reach.account_sid)
  return reach.sharedBy ? [accountRows, sharedCondition(reach.sharedBy)] : [accountRows]
}

/**
 * The same limit, checked row by row with the joins of the ownership. It suits pages that are read in the order of an index:
 * there the subqueries of `listReachConditions` would first collect all accounts of a provider.
 */
export const buildRowReachCondition = (reach: Reach, ownership: Ownership): RawBuilder<unknown> =>
  'service_provider_sid' in reach
    ? (ownership.providerRowCondition?.(reach.service_provider_sid) ??
      sql`${ownership.provider} = ${reach.service_provider_sid}`)
    : buildReachCondition(reach, ownership)

/** `listReachConditions` as one condition. */
export const buildReachCondition = (reach: Reach, ownership: Ownership): RawBuilder<unknown> =>
  sql`(${sql.join(listReachConditions(reach, ownership), sql` or `)})`
