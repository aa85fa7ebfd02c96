import { expect, it } from 'vitest'
import { lookupCache } from './lookup-cache'

const counted = () => {
  let count = 0
  return { find: async () => ++count, fail: async (): Promise<number> => Promise.reject(new Error(`${++count}`)) }
}

it('shares one lookup until it expires', async () => {
  let clock = 1000
  const stored = lookupCache<number>({ maxEntries: 2, lifetimeMs: 10 }, () => clock)
  const { find } = counted()
  expect(await Promise.all([stored('a', find), stored('a', find)])).toEqual([1, 1])
  clock = 1009
  expect(await stored('a', find)).toBe(1)
  clock = 1011
  expect(await stored('a', find)).toBe(2)
})

it('removes the least recently used entry', async () => {
  const stored = lookupCache<number>({ maxEntries: 2, lifetimeMs: 10 }, () => 0)
  const { find } = counted()
  for (const name of ['a', 'b', 'a', 'c']) await stored(name, find)
  expect([await stored('a', find), await stored('b', find)]).toEqual([1, 4])
})

it('does not cache errors', async () => {
  const stored = lookupCache<number>({ maxEntries: 2, lifetimeMs: 10 }, () => 0)
  const { find, fail } = counted()
  await expect(stored('a', fail)).rejects.toThrow('1')
  expect(await stored('a', find)).toBe(2)
})
