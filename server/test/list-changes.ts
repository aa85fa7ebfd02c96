import fc from 'fast-check'
import { sql, type Kysely } from 'kysely'
import { fullReach, type Reach } from '@trunkline/contract/policy/can'
import type { Row } from '../src/db/repository-options'
import type { Tables } from '../src/db/schema'
import { uuid } from '../src/secrets/ids'
import { accounts, providers, type SimpleQuery, type TestedList } from './simple-lists'

/** Equal names, names that differ in case or accents only, and characters that LIKE or a collation treats specially. */
const someName = fc.constantFrom(
  'a',
  'A',
  'ä',
  'Äa',
  'b',
  'B 1',
  'b_1',
  'b%1',
  'ß',
  'ss',
  'é',
  'E',
  'ж',
  '日本',
  '😀',
  '',
)
const someNumber = fc.oneof(fc.stringMatching(/^15550[0-3]{2,4}$/), fc.constantFrom('sip:Ann', 'ann', '+1555', 'ÄNN'))
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const accountSid = fc.constantFrom(...accounts.map(({ account_sid }) => account_sid))
const providerSid = fc.constantFrom(...providers)
const flag = fc.constantFrom(0, 1)

const insertRow = async (db: Kysely<Tables>, table: string, values: Row) => {
  await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(values).map((column) => sql.ref(column)))})
    values (${sql.join(Object.values(values))})`.execute(db)
}

export type ListChange = (db: Kysely<Tables>) => Promise<unknown>

const changeOf = <T>(value: fc.Arbitrary<T>, change: (value: T) => ListChange) => value.map(change)
const owner = fc.record({ account_sid: orNull(accountSid), service_provider_sid: orNull(providerSid) })
const insertion = (table: string, values: fc.Arbitrary<Row>, key: string) =>
  changeOf(values, (row) => (db) => insertRow(db, table, { ...row, [key]: uuid() }))

/** A change of a table that lists read. */
export const someChange: fc.Arbitrary<ListChange> = fc.oneof(
  insertion(
    'accounts',
    fc.record({
      name: someName,
      service_provider_sid: providerSid,
      webhook_secret: fc.constant('s'),
      is_active: flag,
    }),
    'account_sid',
  ),
  insertion(
    'applications',
    fc.record({ name: someName, account_sid: orNull(accountSid), service_provider_sid: orNull(providerSid) }),
    'application_sid',
  ),
  insertion(
    'phone_numbers',
    fc.tuple(owner, someNumber).map(([row, number]) => ({ ...row, number })),
    'phone_number_sid',
  ),
  insertion(
    'voip_carriers',
    fc.record({
      name: someName,
      account_sid: orNull(accountSid),
      service_provider_sid: providerSid,
      is_active: flag,
    }),
    'voip_carrier_sid',
  ),
  insertion(
    'users',
    fc.tuple(owner, someName).map(([row, name]) => ({ ...row, name, email: `${name}@example.com`, provider: 'local' })),
    'user_sid',
  ),
  insertion(
    'clients',
    fc.record({ username: orNull(someName), account_sid: accountSid, is_active: flag }),
    'client_sid',
  ),
  changeOf(
    fc.tuple(accountSid, someName),
    ([account_sid, name]) =>
      (db) =>
        db.updateTable('accounts').set({ name }).where('account_sid', '=', account_sid).execute(),
  ),
  changeOf(
    fc.tuple(accountSid, providerSid),
    ([account_sid, service_provider_sid]) =>
      (db) =>
        db.updateTable('accounts').set({ service_provider_sid }).where('account_sid', '=', account_sid).execute(),
  ),
  changeOf(
    fc.tuple(someNumber, accountSid),
    ([number, account_sid]) =>
      (db) =>
        db.updateTable('phone_numbers').set({ account_sid }).where('number', '=', number).execute(),
  ),
  changeOf(
    someNumber,
    (number) => (db) =>
      sql`update phone_numbers set voip_carrier_sid = (select min(voip_carrier_sid) from voip_carriers),
      application_sid = (select max(application_sid) from applications) where number = ${number}`.execute(db),
  ),
  changeOf(someNumber, (number) => (db) => db.deleteFrom('phone_numbers').where('number', '=', number).execute()),
  changeOf(someName, (name) => (db) => db.deleteFrom('voip_carriers').where('name', '=', name).execute()),
  changeOf(someName, (name) => (db) => db.deleteFrom('applications').where('name', '=', name).execute()),
)

/** A list as one client requests it. */
export const someRequest = fc.record({
  name: fc.constantFrom('accounts', 'applications', 'numbers', 'carriers', 'users', 'clients'),
  scope: fc.constantFrom('all', 'provider', 'account'),
  provider: providerSid,
  account: accountSid,
  sort: fc.nat({ max: 3 }),
  isDescending: fc.boolean(),
  text: fc.constantFrom('', '', 'a', 'Ä', 'b', '_', '1', '155', '0', 'ss', 'nothing has this'),
  pageSize: fc.integer({ min: 1, max: 7 }),
})
type ListRequest = typeof someRequest extends fc.Arbitrary<infer Value> ? Value : never

const reachOf = ({ scope, provider, account }: ListRequest, isShared: boolean): Reach => {
  if (scope === 'all') return fullReach
  if (scope === 'provider') return { service_provider_sid: provider }
  const sharedBy = accounts.find(({ account_sid }) => account_sid === account)!.provider
  return isShared ? { account_sid: account, sharedBy } : { account_sid: account }
}

/** The query of a request. */
export const toSimpleQuery = (request: ListRequest, { sorts, isShared }: TestedList): SimpleQuery => {
  const columns = Object.keys(sorts)
  const column = columns[request.sort % columns.length]!
  return {
    reach: reachOf(request, isShared === true),
    sort: request.isDescending ? `-${column}` : column,
    text: request.text,
  }
}
