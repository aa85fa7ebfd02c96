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
}

const own = { joins: sql``, provider: sql`t.service_provider_sid`, account: sql`t.account_sid` }

/** Through the account, and for a row without one by the row's own provider. */
const throughAccount = {
  joins: sql`left join accounts oa on oa.account_sid = t.account_sid`,
  provider: sql`coalesce(oa.service_provider_sid, t.service_provider_sid)`,
  account: sql`t.account_sid`,
}

const throughCarrier = {
  joins: sql`join voip_carriers oc on oc.voip_carrier_sid = t.voip_carrier_sid`,
  provider: sql`oc.service_provider_sid`,
  account: sql`oc.account_sid`,
}

/** Every kind of record with an owner: one line each, so that tenancy is decided in one place for all of them. */
export const chains = {
  service_provider: {
    table: 'service_providers',
    key: 'service_provider_sid',
    joins: sql``,
    provider: sql`t.service_provider_sid`,
    account: sql`null`,
  },
  account: { table: 'accounts', key: 'account_sid', ...own },
  user: { table: 'users', key: 'user_sid', ...throughAccount },
  api_key: { table: 'api_keys', key: 'api_key_sid', ...throughAccount },
  application: { table: 'applications', key: 'application_sid', ...throughAccount },
  voip_carrier: { table: 'voip_carriers', key: 'voip_carrier_sid', ...own },
  sip_gateway: { table: 'sip_gateways', key: 'sip_gateway_sid', ...throughCarrier },
  phone_number: {
    table: 'phone_numbers',
    key: 'phone_number_sid',
    // A number of no account is its provider's, or else that of its carrier's provider: it must not vanish from every list.
    joins: sql`left join accounts oa on oa.account_sid = t.account_sid left join voip_carriers oc on oc.voip_carrier_sid = t.voip_carrier_sid`,
    provider: sql`coalesce(oa.service_provider_sid, t.service_provider_sid, oc.service_provider_sid)`,
    account: sql`t.account_sid`,
  },
} satisfies Record<string, OwnerChain>

export type OwnedKind = keyof typeof chains

/** The condition that keeps a list or a look-up inside an actor's reach. */
export const within = (reach: Reach, { provider, account }: OwnerChain): RawBuilder<unknown> => {
  if ('all' in reach) return sql`1 = 1`
  if ('service_provider_sid' in reach) return sql`${provider} = ${reach.service_provider_sid}`
  const mine = sql`${account} = ${reach.account_sid}`
  return reach.sharedBy ? sql`(${mine} or (${account} is null and ${provider} = ${reach.sharedBy}))` : mine
}
