import { expect, test } from 'vitest'
import { notePlace, totals } from './totals'

const counter = () => {
  let counted = 0
  return { count: () => Promise.resolve(++counted) }
}

test('a total is counted once until one of its tables is written', async () => {
  const { count } = counter()
  const remembered = totals('sqlite')
  const get = async () => (await remembered.get('numbers', ['phone_numbers', 'accounts'], count)).total
  expect(await Promise.all([get(), get()])).toEqual([1, 1])
  remembered.touch('webhooks')
  expect(await get()).toBe(1)
  remembered.touch('accounts')
  expect(await get()).toBe(2)
  expect(await remembered.get('others', ['phone_numbers'], count)).toMatchObject({ total: 3 })
})

test('a count that was under way during a write is not remembered', async () => {
  const remembered = totals('sqlite')
  let finish = (_: number) => {}
  const slow = remembered.get('numbers', ['phone_numbers'], () => new Promise((resolve) => (finish = resolve)))
  remembered.touch('phone_numbers')
  finish(1)
  expect(await slow).toMatchObject({ total: 1 })
  const { total } = await remembered.get('numbers', ['phone_numbers'], () => Promise.resolve(2))
  expect(total).toBe(2)
})

test('on MySQL, where others write too, a total lives for three seconds', async () => {
  let now = 0
  const { count } = counter()
  const remembered = totals('mysql', () => now)
  const get = async () => (await remembered.get('numbers', ['phone_numbers'], count)).total
  await get()
  now = 2_999
  expect(await get()).toBe(1)
  now = 3_000
  expect(await get()).toBe(2)
})

test('a failed count is not remembered, and the memory has an end', async () => {
  const { count } = counter()
  const remembered = totals('sqlite')
  await expect(remembered.get('k', ['t'], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await remembered.get('k', ['t'], count)).toMatchObject({ total: 1 })
  for (let i = 0; i < 1_000; i += 1) await remembered.get(`list ${i}`, ['t'], () => Promise.resolve(i))
  expect(await remembered.get('k', ['t'], count)).toMatchObject({ total: 2 })
})

test('where pages began is known while a list is as long as before, for a minute, and until its table is written', async () => {
  let now = 0
  let long = 10
  const remembered = totals('mysql', () => now)
  const get = () => remembered.get('numbers', ['phone_numbers'], () => Promise.resolve(long))
  const place = { before: 5, at: ['5', 'five'] as const }
  const places = async () => (await get()).places
  notePlace(await get(), place)
  notePlace(await get(), place)
  now = 4_000
  expect(await places()).toEqual([place])
  long = 11
  now = 8_000
  expect(await places()).toEqual([])
  notePlace(await get(), place)
  now = 12_000
  expect(await places()).toEqual([place])
  now = 70_000
  expect(await places()).toEqual([])
  notePlace(await get(), place)
  remembered.touch('phone_numbers')
  expect(await places()).toEqual([])
  for (let before = 0; before < 300; before += 1) notePlace(await get(), { before, at: [before, before] })
  expect((await places()).length).toBe(200)
})
