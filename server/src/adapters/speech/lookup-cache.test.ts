import { expect, it } from 'vitest'
import { createLookupCache } from './lookup-cache'

/** Creates lookups that count their calls: one returns the count, the other fails with it. */
const createCountingLookups = () => {
  let count = 0
  return { find: async () => ++count, fail: async (): Promise<number> => Promise.reject(new Error(`${++count}`)) }
}

it('shares the result of one lookup until it expires', async () => {
  let nowMs = 1000
  const cachedLookup = createLookupCache<number>({ maxEntries: 2, lifetimeMs: 10 }, () => nowMs)
  const { find } = createCountingLookups()
  expect(await Promise.all([cachedLookup('a', find), cachedLookup('a', find)])).toEqual([1, 1])
  nowMs = 1009
  expect(await cachedLookup('a', find)).toBe(1)
  nowMs = 1011
  expect(await cachedLookup('a', find)).toBe(2)
})

it('removes the least recently used entry', async () => {
  const cachedLookup = createLookupCache<number>({ maxEntries: 2, lifetimeMs: 10 }, () => 0)
  const { find } = createCountingLookups()
  for (const name of ['a', 'b', 'a', 'c']) await cachedLookup(name, find)
  expect([await cachedLookup('a', find), await cachedLookup('b', find)]).toEqual([1, 4])
})

it('does not cache errors', async () => {
  const cachedLookup = createLookupCache<number>({ maxEntries: 2, lifetimeMs: 10 }, () => 0)
  const { find, fail } = createCountingLookups()
  await expect(cachedLookup('a', fail)).rejects.toThrow('1')
  expect(await cachedLookup('a', find)).toBe(2)
})
