import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Page } from '@trunkline/contract/kit/page'
import type { Reach } from '@trunkline/contract/policy/can'
import { engineOf } from '../src/db/database'
import { createRepository, type ListOptions, type Store } from '../src/db/repository'
import type { Row } from '../src/db/repository-options'
import type { Tables } from '../src/db/schema'
import { ownershipByKind } from '../src/db/tenancy'
import { createPhoneNumberRepository } from '../src/resources/phone-numbers/repository'
import { createUserRepository } from '../src/resources/users/repository'
import { createVoipCarrierRepository } from '../src/resources/voip-carriers/repository'
import { uuid } from '../src/secrets/ids'

/** A list, and the parts of a simple query for the same rows. */
export interface TestedList {
  repository: { list: (reach: Reach, options: ListOptions) => Promise<Row[] | Page<Row>> }
  from: string
  key: string
  provider: string
  account: string
  sorts: Record<string, string>
  textColumn: string
  /** Users of an account see the records that its provider shares. */
  isShared?: true
}

export const providers = [uuid(), uuid()]
export const accounts = Array.from({ length: 6 }, (_, index) => ({
  account_sid: uuid(),
  provider: providers[index % 2]!,
}))

/** The lists with their repositories. */
export const createTestedLists = (store: Store): Record<string, TestedList> => {
  const byOwner = { provider: 't.service_provider_sid', account: 't.account_sid' }
  const byAccount = { ...byOwner, provider: 'coalesce(a.service_provider_sid, t.service_provider_sid)' }
  const withAccount = (table: string, join = 'left join') =>
    `${table} t ${join} accounts a on a.account_sid = t.account_sid`
  return {
    accounts: {
      ...byOwner,
      repository: createRepository(store, {
        ownership: ownershipByKind.account,
        sortableColumns: ['name', 'sip_realm', 'plan_type', 'is_active', 'created_at', 'trial_end_date'],
      }),
      from: 'accounts t',
      key: 't.account_sid',
      sorts: { name: 't.name', sip_realm: 't.sip_realm', is_active: 't.is_active', trial_end_date: 't.trial_end_date' },
      textColumn: 't.name',
    },
    applications: {
      ...byAccount,
      repository: createRepository(store, {
        ownership: ownershipByKind.application,
        sortableColumns: ['name', 'account_name', 'created_at', 'record_all_calls'],
        sortExpressions: { account_name: sql`accounts.name` },
        extraColumns: sql`, accounts.name as account_name`,
      }),
      from: withAccount('applications'),
      key: 't.application_sid',
      sorts: { name: 't.name', account_name: 'a.name', record_all_calls: 't.record_all_calls' },
      textColumn: 't.name',
    },
    numbers: {
      ...byAccount,
      repository: createPhoneNumberRepository(store),
      from: `${withAccount('phone_numbers')} left join voip_carriers c on c.voip_carrier_sid = t.voip_carrier_sid
        left join applications p on p.application_sid = t.application_sid`,
      key: 't.phone_number_sid',
      provider: 'coalesce(a.service_provider_sid, t.service_provider_sid, c.service_provider_sid)',
      sorts: { number: 't.number', account_name: 'a.name', voip_carrier_name: 'c.name', application_name: 'p.name' },
      textColumn: 't.number',
    },
    carriers: {
      ...byOwner,
      repository: createVoipCarrierRepository(store),
      from: withAccount('voip_carriers'),
      key: 't.voip_carrier_sid',
      sorts: { name: 't.name', account_name: 'a.name', is_active: 't.is_active' },
      textColumn: 't.name',
      isShared: true,
    },
    users: {
      ...byAccount,
      repository: createUserRepository(store),
      from: `${withAccount('users')} left join service_providers s
        on s.service_provider_sid = coalesce(a.service_provider_sid, t.service_provider_sid)`,
      key: 't.user_sid',
      sorts: { name: 't.name', email: 't.email', account_name: 'coalesce(a.name, s.name)', is_active: 't.is_active' },
      textColumn: 't.name',
    },
    clients: {
      ...byAccount,
      repository: createRepository(store, {
        ownership: ownershipByKind.client,
        sortableColumns: ['username', 'is_active'],
        // Shorter than the list, which the database then sorts.
        maxCachedKeys: 5,
      }),
      from: withAccount('clients', 'join'),
      key: 't.client_sid',
      provider: 'a.service_provider_sid',
      sorts: { username: 't.username', is_active: 't.is_active' },
      textColumn: 't.username',
    },
  }
}

const buildReach = ({ provider, account }: TestedList, reach: Reach) => {
  if ('all' in reach) return sql`1 = 1`
  if ('service_provider_sid' in reach) return sql`${sql.raw(provider)} = ${reach.service_provider_sid}`
  const isOfAccount = sql`${sql.raw(account)} = ${reach.account_sid}`
  return reach.sharedBy
    ? sql`(${isOfAccount} or (${sql.raw(account)} is null and ${sql.raw(provider)} = ${reach.sharedBy}))`
    : isOfAccount
}

const buildTextCondition = (db: Kysely<Tables>, { textColumn }: TestedList, text: string): RawBuilder<unknown> => {
  const pattern = `%${text.replace(/[!%_]/g, '!$&')}%`
  return engineOf(db) === 'mysql'
    ? sql`${sql.raw(textColumn)} like ${pattern} escape '!'`
    : sql`lcase(${sql.raw(textColumn)}) like lcase(${pattern}) escape '!'`
}

/** A list as one client requests it. */
export interface SimpleQuery {
  reach: Reach
  /** A column, with `-` for descending. */
  sort: string
  /** Empty for all rows. */
  text: string
}

/** The keys of the whole list, read by a query without any index, cache or limit. */
export const readKeysSimply = async (
  db: Kysely<Tables>,
  tested: TestedList,
  { reach, sort, text }: SimpleQuery,
): Promise<string[]> => {
  const direction = sql.raw(sort.startsWith('-') ? 'desc' : 'asc')
  const value = sql.raw(tested.sorts[sort.replace('-', '')]!)
  const key = sql.raw(tested.key)
  const { rows } = await sql<{ list_key: string }>`select ${key} as list_key from ${sql.raw(tested.from)}
    where ${buildReach(tested, reach)} and ${text === '' ? sql`1 = 1` : buildTextCondition(db, tested, text)}
    order by ${value} ${direction}, ${key} ${direction}`.execute(db)
  return rows.map(({ list_key }) => list_key)
}
