import { randomUUID } from 'node:crypto'
import { describe, expect, it, test } from 'vitest'
import { createSeededDatabase, databaseEngines } from '../../test/databases'
import { addBookmark, createListCounts, type ListCounts } from './list-counts'
import { createRepository } from './repository'
import { ownershipByKind } from './tenancy'
import { withTransaction } from './transaction'

const createCounter = () => {
  let runs = 0
  return { count: () => Promise.resolve(++runs) }
}

test('counts a list once until one of its tables is written', async () => {
  const { count } = createCounter()
  const cache = createListCounts('sqlite')
  const get = async () => (await cache.get('numbers', ['phone_numbers', 'accounts'], count)).total
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  cache.invalidate('webhooks')
  expect(await get()).toBe(1)
  cache.invalidate('accounts')
  expect(await get()).toBe(2)
  expect(await cache.get('others', ['phone_numbers'], count)).toMatchObject({ total: 3 })
})

test('does not cache a count that was running during a write', async () => {
  const cache = createListCounts('sqlite')
  let finishCount = (_: number) => {}
  const slowCount = cache.get('numbers', ['phone_numbers'], () => new Promise((resolve) => (finishCount = resolve)))
  cache.invalidate('phone_numbers')
  finishCount(1)
  expect(await slowCount).toMatchObject({ total: 1 })
  const { total } = await cache.get('numbers', ['phone_numbers'], () => Promise.resolve(2))
  expect(total).toBe(2)
})

test('caches a total for three seconds on MySQL, where other processes write too', async () => {
  let now = 0
  const { count } = createCounter()
  const cache = createListCounts('mysql', () => now)
  const get = async () => (await cache.get('numbers', ['phone_numbers'], count)).total
  await get()
  now = 2_999
  expect(await get()).toBe(1)
  now = 3_000
  expect(await get()).toBe(2)
})

test('does not cache a failed count, and limits the number of cached lists', async () => {
  const { count } = createCounter()
  const cache = createListCounts('sqlite')
  await expect(cache.get('k', ['t'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await cache.get('k', ['t'], count)).toMatchObject({ total: 1 })
  for (let i = 0; i < 1_000; i += 1) await cache.get(`list ${i}`, ['t'], () => Promise.resolve(i))
  expect(await cache.get('k', ['t'], count)).toMatchObject({ total: 2 })
})

test('keeps bookmarks for a minute while the list length and the table are unchanged', async () => {
  let now = 0
  let total = 10
  const cache = createListCounts('mysql', () => now)
  const get = () => cache.get('numbers', ['phone_numbers'], () => Promise.resolve(total))
  const bookmark = { precedingRows: 5, position: ['5', 'five'] as const }
  const bookmarks = async () => (await get()).bookmarks
  addBookmark(await get(), bookmark)
  addBookmark(await get(), bookmark)
  now = 4_000
  expect(await bookmarks()).toEqual([bookmark])
  total = 11
  now = 8_000
  expect(await bookmarks()).toEqual([])
  addBookmark(await get(), bookmark)
  now = 12_000
  expect(await bookmarks()).toEqual([bookmark])
  now = 70_000
  expect(await bookmarks()).toEqual([])
  addBookmark(await get(), bookmark)
  cache.invalidate('phone_numbers')
  expect(await bookmarks()).toEqual([])
  for (let row = 0; row < 300; row += 1) addBookmark(await get(), { precedingRows: row, position: [row, row] })
  expect((await bookmarks()).length).toBe(200)
})

describe.each(databaseEngines)('a write in a transaction (%s)', (databaseEngine) => {
  it('discards cached totals only once it is committed', async () => {
    const database = await createSeededDatabase(databaseEngine)
    const discardedTables: string[] = []
    const listCounts: ListCounts = {
      ...createListCounts(databaseEngine),
      invalidate: (table) => void discardedTables.push(table),
    }
    const providers = createRepository(
      { database, listCounts },
      { ownership: ownershipByKind.service_provider, sortableColumns: ['name'] },
    )
    const service_provider_sid = randomUUID()
    await withTransaction(database.db, async (tx) => {
      await providers.insert({ service_provider_sid, name: 'new' }, tx)
      await providers.update(service_provider_sid, { name: 'renamed' }, tx)
      expect(discardedTables).toEqual([])
    })
    expect(discardedTables).toEqual(['service_providers', 'service_providers'])
    await providers.remove(service_provider_sid)
    expect(discardedTables).toHaveLength(3)
    await database.close()
  })
})
