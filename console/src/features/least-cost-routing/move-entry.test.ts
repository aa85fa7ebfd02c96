import { expect, it } from 'vitest'
import { moveEntry } from './move-entry'

it.each<[number, number, string]>([
  [0, 2, 'bcad'],
  [3, 0, 'dabc'],
  [1, 1, 'abcd'],
  [2, 3, 'abdc'],
])('moves the route at index %i to %i', (from, to, order) =>
  expect(moveEntry([...'abcd'], from, to).join('')).toBe(order),
)
