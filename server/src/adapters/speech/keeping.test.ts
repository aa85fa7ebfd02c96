import { expect, it } from 'vitest'
import { keeping } from './keeping'

const counted = () => {
  let times = 0
  return { find: async () => ++times, fail: async (): Promise<number> => Promise.reject(new Error(`${++times}`)) }
}

it('finds out once, for everybody who asks meanwhile, until it is too old', async () => {
  let clock = 0
  const kept = keeping<number>({ most: 2, milliseconds: 10 }, () => clock)
  const { find } = counted()
  expect(await Promise.all([kept('a', find), kept('a', find)])).toEqual([1, 1])
  clock = 9
  expect(await kept('a', find)).toBe(1)
  clock = 10
  expect(await kept('a', find)).toBe(2)
})

it('lets go of what was asked for longest ago', async () => {
  const kept = keeping<number>({ most: 2, milliseconds: 10 }, () => 0)
  const { find } = counted()
  for (const name of ['a', 'b', 'a', 'c']) await kept(name, find)
  expect([await kept('a', find), await kept('b', find)]).toEqual([1, 4])
})

it('keeps no failure', async () => {
  const kept = keeping<number>({ most: 2, milliseconds: 10 }, () => 0)
  const { find, fail } = counted()
  await expect(kept('a', fail)).rejects.toThrow('1')
  expect(await kept('a', find)).toBe(2)
})
