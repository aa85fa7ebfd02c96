import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Page } from '@trunkline/contract/kit/page'
import { fullReach, type Reach } from '@trunkline/contract/policy/can'
import { createSharedDatabase, databaseEngines, type SharedDatabase } from '../../test/databases'
import { someChange, someRequest, toSimpleQuery, type ListChange } from '../../test/list-changes'
import {
  accounts,
  createTestedLists,
  providers,
  readKeysSimply,
  type SimpleQuery,
  type TestedList,
} from '../../test/simple-lists'
import { uuid } from '../secrets/ids'
import { splitIntoBatches } from './batches'
import type { Database } from './database'
import { createListCache } from './list-cache'
import { containsText, type ListOptions } from './repository'
import type { Row } from './repository-options'
import { createMysqlTableVersions, type TableVersions } from './table-versions'

const watchedTables = ['accounts', 'applications', 'phone_numbers', 'voip_carriers', 'users', 'clients']

const toListOptions = ({ textColumn }: TestedList, { sort, text }: SimpleQuery): ListOptions => ({
  sort,
  text: text ? containsText(sql.raw(textColumn), text) : undefined,
})

const readPage = async ({ repository, key }: TestedList, reach: Reach, options: ListOptions) => {
  const { total, data } = (await repository.list(reach, options)) as Page<Row>
  return { total, keys: data.map((row) => row[key.slice(2)] as string) }
}

const readAllPages = async (tested: TestedList, query: SimpleQuery, pageSize: number) => {
  const keys: string[] = []
  const options = { ...toListOptions(tested, query), page_size: pageSize }
  for (let page = 1; ; page += 1) {
    const { total, keys: pageKeys } = await readPage(tested, query.reach, { ...options, page })
    keys.push(...pageKeys)
    if (page * pageSize >= total) return { total, keys }
  }
}

describe.each(databaseEngines)('pages of lists (%s)', (databaseEngine) => {
  let shared: SharedDatabase
  let database: Database
  /** Another program that uses the same database. */
  let otherProgram: Database
  let versions: TableVersions
  let lists: Record<string, TestedList>

  beforeAll(async () => {
    shared = await createSharedDatabase(databaseEngine)
    ;({ database, otherProgram } = shared)
    versions = databaseEngine === 'mysql' ? createMysqlTableVersions(database.db, 1) : database.tableVersions
    lists = createTestedLists({ database, listCache: createListCache(versions) })
    const providerRows = providers.map((service_provider_sid, index) => ({ service_provider_sid, name: `p${index}` }))
    await database.db.insertInto('service_providers').values(providerRows).execute()
    const accountRows = accounts.map(({ account_sid, provider }) => ({
      account_sid,
      name: 'a',
      service_provider_sid: provider,
      webhook_secret: 'secret',
    }))
    await database.db.insertInto('accounts').values(accountRows).execute()
  })
  afterAll(() => shared.close())

  /** Waits until lists are cached: on MySQL, until the second of the last change is over. */
  const waitUntilSettled = async () => {
    while (!(await versions.read(watchedTables)).isSettled) await delay(100)
  }

  /** Applies a change, unless a key of the tables forbids it. */
  const apply = ([change, isForeign]: [ListChange, boolean]) =>
    change((isForeign ? otherProgram : database).db).catch((error: Error) => {
      if (!/unique|duplicate|foreign key/i.test(error.message)) throw error
    })

  const someStep = fc.record({
    changes: fc.array(fc.tuple(someChange, fc.boolean()), { minLength: 1, maxLength: 12 }),
    requests: fc.array(someRequest, { minLength: 6, maxLength: 6 }),
  })

  const expectSamePages = async (request: Parameters<typeof toSimpleQuery>[0]) => {
    const tested = lists[request.name]!
    const query = toSimpleQuery(request, tested)
    const keys = await readKeysSimply(otherProgram.db, tested, query)
    expect(await readAllPages(tested, query, request.pageSize)).toEqual({ total: keys.length, keys })
  }

  it('have the rows of a simple query, after changes by this and by other programs', async () => {
    const runs = databaseEngine === 'mysql' ? 6 : 80
    await fc.assert(
      fc.asyncProperty(someStep, async ({ changes, requests }) => {
        for (const change of changes) await apply(change)
        await expectSamePages(requests[0]!)
        await waitUntilSettled()
        for (const request of [...requests, ...requests]) await expectSamePages(request)
      }),
      // The changes stay, so a failed run cannot be repeated.
      { numRuns: runs, endOnFailure: true },
    )
  }, 120_000)

  it('have the rows of a simple query in a long list', async () => {
    const numbers = Array.from({ length: 2600 }, (_, index) => ({
      phone_number_sid: uuid(),
      number: `4930${String(index % 2500).padStart(5, '0')}`,
      account_sid: accounts[index % accounts.length]!.account_sid,
    }))
    for (const batch of splitIntoBatches(numbers)) await database.db.insertInto('phone_numbers').values(batch).execute()
    const tested = lists.numbers!
    for (const reach of [fullReach, { service_provider_sid: providers[0]! }])
      for (const sort of ['number', '-number', 'account_name', '-voip_carrier_name'])
        for (const text of ['', '4930', '49300010', '9'])
          for (const page of [1, 3, 9, 2, 8]) {
            const query = { reach, sort, text }
            const keys = await readKeysSimply(otherProgram.db, tested, query)
            const options = { ...toListOptions(tested, query), page, page_size: 300 }
            expect(await readPage(tested, reach, options)).toEqual({
              total: keys.length,
              keys: keys.slice((page - 1) * 300, page * 300),
            })
          }
  }, 120_000)

  it('check the owner of each row again', async () => {
    // A cache that notices no change.
    const unchanged = { read: () => Promise.resolve({ text: '', isSettled: true }) }
    const staleLists = createTestedLists({ database, listCache: createListCache(unchanged) })
    const account_sid = uuid()
    const moved = { account_sid, name: 'moved', service_provider_sid: providers[0]!, webhook_secret: 's' }
    await database.db.insertInto('accounts').values(moved).execute()
    const options = { page: 1, page_size: 1000 }
    const read = () => readPage(staleLists.accounts!, { service_provider_sid: providers[0]! }, options)
    expect((await read()).keys).toContain(account_sid)
    await database.db
      .updateTable('accounts')
      .set({ service_provider_sid: providers[1]! })
      .where('account_sid', '=', account_sid)
      .execute()
    expect((await read()).keys).not.toContain(account_sid)
  })
})
