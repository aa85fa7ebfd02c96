import { expect, it } from 'vitest'
import { foundOptions } from './found-options'

const thousand = Array.from({ length: 1000 }, (_, each) => ({
  value: `en-US-V${each}`,
  label: `Voice ${each} (Female)`,
}))
const values = (search: string, chosen: string | null = null) =>
  foundOptions(thousand, search, chosen).map(({ value }) => value)

it('shows the first hundred, the chosen one and how many there are besides', () => {
  const found = foundOptions(thousand, '', 'en-US-V700')
  expect(found[0]?.value).toBe('en-US-V700')
  expect(found[1]?.value).toBe('en-US-V0')
  expect(found.at(-1)).toMatchObject({ label: '899 more: type to find them', disabled: true })
  expect(values('', 'en-US-V3')).toHaveLength(101)
})

it('finds each word, by name or as it is stored', () => {
  expect(values('voice 42')).toContain('en-US-V421')
  expect(values('female 999')).toEqual(['en-US-V999'])
  expect(values('US-v999')).toEqual(['en-US-V999'])
  expect(values('nobody')).toEqual([])
})

it('is done with a thousand options before a person sees it', () => {
  const began = performance.now()
  for (let each = 0; each < 100; each++) values(`voice ${each} fem`)
  expect((performance.now() - began) / 100).toBeLessThan(10)
})
