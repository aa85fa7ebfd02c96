import { expect, test } from 'vitest'
import { packKeys } from './key-list'
import { addBookmark, createListCache, type ListState } from './list-cache'
import type { TableVersion } from './table-versions'

/** A cache whose version the test sets, and a load that counts its runs in `total`. */
const createTestCache = () => {
  let loadCount = 0
  const test = {
    version: { text: 'one', isSettled: true } as TableVersion,
    now: 0,
    load: (): Promise<ListState> => Promise.resolve({ total: ++loadCount, bookmarks: [] }),
  }
  const readTables: (readonly string[])[] = []
  const cache = createListCache(
    {
      read: (tables) => {
        readTables.push(tables)
        return Promise.resolve(test.version)
      },
    },
    () => test.now,
  )
  const get = async (key = 'numbers', load = test.load) => (await cache.get(key, ['phone_numbers'], load)).total
  return { cache, get, test, readTables }
}

test('loads a list once until its tables change', async () => {
  const { get, test, readTables } = createTestCache()
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  expect(await get()).toBe(1)
  expect(await get('others')).toBe(2)
  test.version = { text: 'two', isSettled: true }
  expect(await get()).toBe(3)
  expect(await get()).toBe(3)
  expect(readTables).toEqual(Array.from({ length: 6 }, () => ['phone_numbers']))
})

test('loads a list for every request while its tables may change unnoticed', async () => {
  const { get, test } = createTestCache()
  await get()
  test.version = { text: 'two', isSettled: false }
  expect([await get(), await get()]).toEqual([2, 3])
  expect(await Promise.all([get(), get()])).toEqual([4, 5])
  test.version = { text: 'two', isSettled: true }
  expect([await get(), await get()]).toEqual([6, 6])
})

test('does not use a list that was loading when its tables changed', async () => {
  const { get, test } = createTestCache()
  let finishLoad = (_: ListState) => {}
  const slowLoad = get('numbers', () => new Promise((resolve) => (finishLoad = resolve)))
  await Promise.resolve()
  test.version = { text: 'two', isSettled: true }
  expect(await get()).toBe(1)
  finishLoad({ total: 100, bookmarks: [] })
  expect(await slowLoad).toBe(100)
  expect(await get()).toBe(2)
})

test('loads a list again after a minute', async () => {
  const { get, test } = createTestCache()
  await get()
  test.now = 59_999
  expect(await get()).toBe(1)
  test.now = 60_000
  expect(await get()).toBe(2)
})

test('does not cache a failed load', async () => {
  const { get } = createTestCache()
  await expect(get('numbers', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await get()).toBe(1)
})

test('limits the number of cached keys, but not the length of a list', async () => {
  const { cache, get } = createTestCache()
  const keys = packKeys(Array.from({ length: 100_000 }, (_, index) => String(index).padStart(36, '0')))
  expect(await get('first')).toBe(1)
  for (const name of ['a', 'b', 'c'])
    expect((await cache.get(name, ['t'], () => Promise.resolve({ total: 100_000, keys, bookmarks: [] }))).keys).toBe(
      keys,
    )
  expect(await get('first')).toBe(2)
})

test('keeps at most 200 bookmarks, each once', async () => {
  const { cache, test } = createTestCache()
  const state = await cache.get('numbers', ['phone_numbers'], test.load)
  for (let row = 0; row < 300; row += 1) {
    addBookmark(state, { precedingRows: row, position: [row, row] })
    addBookmark(state, { precedingRows: row, position: [row, row] })
  }
  expect(state.bookmarks).toHaveLength(200)
  expect(state.bookmarks.at(-1)).toEqual({ precedingRows: 299, position: [299, 299] })
})
