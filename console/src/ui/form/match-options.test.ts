import { expect, it } from 'vitest'
import { findOptions } from './match-options'

const options = Array.from({ length: 1000 }, (_, index) => ({
  value: `en-US-V${index}`,
  label: `Voice ${index} (Female)`,
}))
const valuesFor = (search: string, selected: string | null = null) =>
  findOptions(options, search, selected).shownOptions.map(({ value }) => value)

it('shows the first hundred options, the selected one first, and counts the hidden ones', () => {
  const { shownOptions, hiddenCount } = findOptions(options, '', 'en-US-V700')
  expect(shownOptions[0]?.value).toBe('en-US-V700')
  expect(shownOptions[1]?.value).toBe('en-US-V0')
  expect(shownOptions).toHaveLength(101)
  expect(hiddenCount).toBe(899)
  expect(valuesFor('', 'en-US-V3')).toHaveLength(100)
})

it('finds every word in the label or the value', () => {
  expect(valuesFor('voice 42')).toContain('en-US-V421')
  expect(valuesFor('female 999')).toEqual(['en-US-V999'])
  expect(valuesFor('US-v999')).toEqual(['en-US-V999'])
  expect(valuesFor('nobody')).toEqual([])
})
