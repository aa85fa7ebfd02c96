import { expect, it } from 'vitest'
import { getScaleMax } from './line-chart'

it.each([
  [[], 4],
  [[0, 3], 4],
  [[24, 7], 24],
  [[25], 32],
  [[97], 100],
  [[1234], 1600],
])('the scale of %j ends at %s', (values, max) => {
  expect(getScaleMax(values)).toBe(max)
  expect(Number.isInteger(max / 4)).toBe(true)
})
